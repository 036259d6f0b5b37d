import type { Account, Config } from '../../relay/config/load.ts';
import { decodeAnswer, decodeLoosely } from '../../relay/gateway/answers/decode-answer.ts';
import { readJsonAnswer } from '../../relay/gateway/answers/json-answer.ts';
import { type CallResult, createGateway } from '../../relay/gateway/call.ts';
import { type Client, createClient, type Exchange } from '../../relay/gateway/client.ts';
import type { Profile } from '../../relay/gateway/profile.ts';
import { checkSignature, createSigner, type SignatureFault, type Signer } from '../../relay/gateway/signing/signer.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import { orderRecord } from '../../shared/gateway/query.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { type Reaction, type SigningEvidence, type Try, WRONG_ENCODING } from './reaction.ts';
import { createOracle, secretsBeside } from './signing-evidence.ts';

/** Sends tries to a gateway. */
export type Tries = {
  send(attempt: Try): Promise<Reaction>;
  /** The number of messages sent. */
  sent(): number;
  close(): Promise<void>;
};

/**
 * Sends tries like the relay, each once, with the try's changes of the profile. Throws ConfigError if the signing
 * module cannot be loaded.
 */
export function gatewayTries({ gateway, accounts }: Config, account: Account, now: () => Date): Tries {
  const client = createClient({ baseUrl: gateway.base_url, timeoutMs: gateway.timeout_ms, headers: gateway.headers });
  const oracle = createOracle(secretsBeside(account, accounts), () => now().getTime());
  let sent = 0;
  return {
    close: () => client.close(),
    sent: () => sent,
    async send(attempt) {
      const profile = profileOf(attempt, gateway.profile);
      const isTrimmed = attempt.kind === 'query' && attempt.isTrimmed === true;
      const as = isTrimmed ? { ...account, signingSecret: account.signingSecret.trim() } : account;
      const seen: Seen = { request: {}, signature: '' };
      const signer = await createSigner(profile.signing);
      const watched: Client = {
        ...client,
        async post(post, deadline) {
          const exchange = await client.post(post, deadline);
          seen.exchange = exchange;
          return exchange;
        },
      };
      const watchedSigner: Signer = async (message, request) => {
        const signed = await signer(message, request);
        if (signed.kind === 'signed' && request.direction === 'request') {
          seen.signature = signed.signature;
          seen.request = message;
        }
        return signed;
      };
      // The answer's signature is a separate finding.
      const unverified = { ...profile, verify: { ...profile.verify, query: 'off', cancel: 'off' } } as const;
      const { call } = createGateway({ client: watched, profile: unverified, signer: watchedSigner, now });
      const called = await call(attempt.kind, as, messageOf(attempt), {}, gateway.timeout_ms);
      if (seen.exchange !== undefined && called.kind !== 'not_sent') sent += 1;
      const fault = await faultOf(seen, signer, attempt.kind, profile, as.signingSecret);
      const evidence = oracle({ operation: attempt.kind, ...seen, exchange: seen.exchange });
      return reactionOf(called, { ...seen, evidence, fault }, createScrub(attempt, account.signingSecret));
    },
  };
}

function profileOf(attempt: Try, profile: Profile): Profile {
  const { signing } = attempt;
  return attempt.kind === 'query'
    ? { ...profile, signing }
    : { ...profile, signing, json_content_type: attempt.contentType };
}

function messageOf(attempt: Try): Message {
  if (attempt.kind === 'cancel') {
    const { orderNo } = attempt;
    return { cancel_orders: [{ transaction_id: orderNo, order_no: orderNo, currency: 'USD', amount: '0.00' }] };
  }
  const { orders, separator, period } = attempt;
  return {
    ...(orders.length > 0 ? { orders: orders.join(separator) } : {}),
    ...(period ? { query_start: period.from.toISOString(), query_end: period.to.toISOString() } : {}),
  };
}

/** The exchange of a try: the signed message, and the answer. */
type Seen = { exchange?: Exchange; request: Message; signature: string };

/** The fault of an answer's signature. The message is checked as it was sent, before codes are converted to texts. */
async function faultOf(
  { exchange, signature }: Seen,
  signer: Signer,
  name: Try['kind'],
  { verify }: Profile,
  secret: string,
): Promise<SignatureFault | undefined> {
  const answer = exchange?.kind === 'answered' ? readJsonAnswer(exchange.body, exchange.contentType) : 'not_json';
  if (typeof answer === 'string') return undefined;
  const found = await checkSignature({ signer, verify }, name, answer, secret, signature);
  return found === 'proved' || found === 'unproved' ? undefined : found;
}

/** The exchange with the evidence in the answer's signature, and the gateway's texts. */
type Known = Seen & { fault: SignatureFault | undefined; evidence: SigningEvidence };

function reactionOf(called: CallResult, seen: Known, scrub: Scrub): Reaction {
  switch (called.kind) {
    case 'not_configured':
      return { kind: 'unsignable', detail: called.detail };
    case 'not_sent':
      return called.detail === undefined
        ? { kind: 'silent', why: 'no connection' }
        : { kind: 'unsignable', detail: 'the message cannot be signed' };
    case 'refused':
      return refused(called.status, seen, scrub);
    case 'unusable':
      return called.fault === 'http_status'
        ? refused(called.evidence.http_status ?? 0, seen, scrub)
        : unusable(called.fault, seen);
    case 'answer': {
      const { return_status, return_message, orders_list } = called.message;
      return {
        kind: 'answered',
        returnStatus: scrub(String(return_status ?? '')).slice(0, 40),
        returnMessage: scrub(String(return_message ?? '')),
        listed: Array.isArray(orders_list),
        records: recordsIn(orders_list),
        signature: seen.fault,
        evidence: seen.evidence,
      };
    }
  }
}

function refused(status: number, { exchange, evidence }: Known, scrub: Scrub): Reaction {
  if (exchange?.kind !== 'answered') return { kind: 'refused', status, text: '', evidence };
  const { body, contentType } = exchange;
  return { kind: 'refused', status, text: scrub(decodeLoosely(body.subarray(0, 4096), contentType)), evidence };
}

function unusable(fault: string, { exchange }: Seen): Reaction {
  if (exchange?.kind === 'answered' && !decodeAnswer(exchange.body, exchange.contentType)) {
    return { kind: 'unreadable', why: WRONG_ENCODING };
  }
  return fault === 'timeout' || fault === 'connection_lost'
    ? { kind: 'silent', why: fault }
    : { kind: 'unreadable', why: fault };
}

function recordsIn(list: unknown) {
  const records: unknown[] = Array.isArray(list) ? list : [];
  return records.flatMap((record) => {
    const read = orderRecord.safeParse(record);
    return read.success ? [read.data] : [];
  });
}

/** The longest text of a gateway that is shown. */
const MAX_SHOWN = 160;

type Scrub = (text: string) => string;

/** Removes the signed text, which a gateway may quote. */
function createScrub(attempt: Try, secret: string): Scrub {
  const sent = attempt.kind === 'query' ? attempt.orders : [attempt.orderNo];
  return (text) => {
    const shown = [secret, secret.trim(), ...sent].reduce((rest, hidden) => rest.replaceAll(hidden, '[…]'), text);
    const line = maskText(shown)
      .replace(/[\w+/=-]{32,}/g, '[…]')
      .replace(/\s+/g, ' ')
      .trim();
    return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
  };
}
