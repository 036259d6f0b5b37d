import { type CardSecrets, maskText } from '../../shared/card-data/mask.ts';
import { type Operation, type OperationName, operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { Logger } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { type JsonFault, readJsonAnswer } from './answers/json-answer.ts';
import { readXmlAnswer, XmlAnswerError, type XmlFault } from './answers/xml-answer.ts';
import { type Client, type Exchange, isOver } from './client.ts';
import type { Profile } from './profile.ts';
import { type SignatureFault, type Signed, type Signer, signatureFault } from './signing/signer.ts';
import { wireForms } from './wire-forms.ts';

/** The identity under which messages are signed and sent. */
export type Signatory = { merchant_id: string; account_id: string; signingSecret: string };

/** Why an answer, or the lack of one, tells nothing. */
export type Fault =
  | Extract<Exchange, { kind: 'lost' }>['reason']
  | XmlFault
  | JsonFault
  | SignatureFault
  | 'http_status'
  | 'wrong_shape'
  | 'echo_mismatch';

/** What the gateway sent, without card data and cut short; kept for people, never read by us. */
export type Evidence = { http_status?: number; body?: string };

/**
 * What came of one message to the gateway. `not_configured`, too, was not sent: nobody said how it is signed. The evidence of
 * an answer is made on demand: few answers prove nothing, and card data is looked for in each text that is kept.
 */
export type Called =
  | { kind: 'not_sent'; detail?: string }
  | { kind: 'not_configured'; detail: string }
  | { kind: 'refused'; status: 400 | 404; evidence: Evidence }
  | { kind: 'unusable'; fault: Fault; evidence: Evidence }
  | { kind: 'answer'; message: Message; evidence: () => Evidence };

/** What came of a call, in one word: an answer, or why there is none that can be used. */
export type GatewayResult = Exclude<Called['kind'], 'unusable'> | Fault;

/** Sends an operation's message; see `createGateway`. With `onceWithinMs` it is tried once, in so much time at the most. */
export type Call = (
  name: OperationName,
  as: Signatory,
  message: Message,
  own?: CardSecrets,
  onceWithinMs?: number,
) => Promise<Called>;

/** How often an operation that may be repeated is tried in all. */
const TRIES = 3;

/** What the way to the gateway is made of. `now` is the moment of payment. */
export type Parts = { client: Client; profile: Profile; signer: Signer; now: () => Date };

/**
 * The one way to the gateway: gives a message the forms that the profile asks for, adds identity and signature, sends it,
 * and reads the answer as the operation table says. Nothing but an operation that the table marks as `resend` is ever
 * sent twice. What cannot be signed is not sent.
 */
export function createGateway({ client, profile, signer, now }: Parts): Call {
  return async (name, as, message, own = {}, onceWithinMs = undefined) => {
    const { encoding, path, resend } = operations[name];
    const unsigned = withIdentity(wireForms(name, message, profile, now()), as);
    const deadline = client.deadline(onceWithinMs);
    const signed = await signer(unsigned, { operation: name, direction: 'request', secret: as.signingSecret });
    if (signed.kind === 'not_configured') return signed;
    if (signed.kind === 'failed') return { kind: 'not_sent', detail: NOT_SIGNED };
    const [contentType, body] =
      encoding === 'json'
        ? [profile.json_content_type, jsonBody(unsigned, signed)]
        : [FORM, formBody({ ...unsigned, encryption_data: signed.signature })];
    const verdict = (answer: Message): Promise<SignatureFault | undefined> =>
      signatureFault({ signer, verify: profile.verify }, name, answer, as.signingSecret, signed.signature);
    if (isOver(deadline)) return { kind: 'not_sent', detail: SIGNED_TOO_LATE };
    for (let tries = resend && onceWithinMs === undefined ? TRIES : 1; ; tries--) {
      const called = await read(name, await client.post(path, contentType, body, deadline), own, verdict);
      if (tries === 1 || isOver(deadline) || !isWorthRepeating(called)) return called;
    }
  };
}

const SIGNED_TOO_LATE = 'Signing this message took too long, so nothing was sent. Try again.';
const NOT_SIGNED = 'The relay could not sign this message, so nothing was sent. Its log says why.';

function isWorthRepeating(called: Called): boolean {
  return called.kind === 'not_sent' || called.kind === 'unusable';
}

const FORM = 'application/x-www-form-urlencoded';

/** The fields that have a value, with the identity in place of any other. */
function withIdentity(message: Message, { merchant_id, account_id }: Signatory): Message {
  const identified: Record<string, unknown> = {};
  for (const name in message) if (message[name] !== undefined) identified[name] = message[name];
  identified.merchant_id = merchant_id;
  identified.account_id = account_id;
  return identified;
}

/** A signed message as JSON: the very text that was signed and the signature behind it, where that text is JSON. */
function jsonBody(unsigned: Message, { signature, text }: Extract<Signed, { kind: 'signed' }>): string {
  // A message names its account at least, so that something stands before the comma.
  if (text !== undefined) return `${text.slice(0, -1)},"encryption_data":${JSON.stringify(signature)}}`;
  return JSON.stringify({ ...unsigned, encryption_data: signature });
}

function formBody(message: Message): string {
  return new URLSearchParams(Object.entries(message).map(([name, value]) => [name, String(value)])).toString();
}

async function read(
  name: OperationName,
  exchange: Exchange,
  own: CardSecrets,
  verdict: (answer: Message) => Promise<SignatureFault | undefined>,
): Promise<Called> {
  if (exchange.kind === 'not_sent') return exchange;
  if (exchange.kind === 'lost') return { kind: 'unusable', fault: exchange.reason, evidence: {} };
  const { status, body } = exchange;
  const evidence = (): Evidence => ({ http_status: status, body: evidenceText(body, own) });
  if (status === 400 || status === 404) return { kind: 'refused', status, evidence: evidence() };
  const unusable = (fault: Fault): Called => ({ kind: 'unusable', fault, evidence: evidence() });
  if (status !== 200) return unusable('http_status');
  const message = operations[name].answerFormat === 'xml' ? readXml(body) : readJsonAnswer(body);
  if (typeof message === 'string') return unusable(message);
  const { answer, envelope = answer }: Operation = operations[name];
  const shaped = envelope.safeParse(message);
  if (!shaped.success) return unusable('wrong_shape');
  const fault = await verdict(message);
  return fault ? unusable(fault) : { kind: 'answer', message, evidence };
}

function readXml(body: Buffer): Message | XmlFault {
  try {
    return readXmlAnswer(body);
  } catch (error) {
    if (error instanceof XmlAnswerError) return error.code;
    throw error;
  }
}

function evidenceText(body: Buffer, own: CardSecrets): string {
  // Masked before it is cut, so that no half of a card number is left at the end.
  return maskText(body.subarray(0, 16_384).toString('utf8'), own).slice(0, 2000);
}

/**
 * The same call, measured and logged: what came of it and how long it took, with all its tries. Of a payment that the gateway
 * answered one line tells, which also knows what the answer meant: a line costs a fiftieth of a payment.
 */
export function observedCall(call: Call, { metrics, log }: { metrics: Metrics; log: Logger }): Call {
  return async (name, ...rest) => {
    const started = performance.now();
    const called = await call(name, ...rest);
    const ms = performance.now() - started;
    const result = resultOf(called);
    metrics.gatewayCall(name, result, ms / 1000);
    if (called.kind === 'answer' && (name === 'direct_payment' || name === 'apm_payment')) return called;
    log.info({ name, result, http_status: statusOf(called), ms: Math.round(ms) }, 'gateway called');
    return called;
  };
}

function statusOf(called: Called): number | undefined {
  switch (called.kind) {
    case 'answer':
      return 200;
    case 'refused':
    case 'unusable':
      return called.evidence.http_status;
    default:
      return undefined;
  }
}

/** What came of a call, in one word. */
function resultOf(called: Called): GatewayResult {
  return called.kind === 'unusable' ? called.fault : called.kind;
}
