import { type CardSecrets, maskText } from '../../shared/card-data/mask.ts';
import { type OperationName, operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { decodeLoosely } from './answers/decode-answer.ts';
import { type LongAnswer, readLongAnswer } from './answers/long-answer.ts';
import { answerFaults, type Check, type ReadAnswer, readAnswer } from './answers/read-answer.ts';
import { type Client, type Deadline, type Exchange, isOver, lostReasons } from './client.ts';
import type { Profile } from './profile.ts';
import type { Signed, Signer } from './signing/signer.ts';
import { wireForms } from './wire-forms.ts';

/** The identity under which messages are signed and sent, and the additional headers of its messages. */
export type GatewayIdentity = {
  merchant_id: string;
  account_id: string;
  signingSecret: string;
  gateway?: { headers: Readonly<Record<string, string>> };
};

/** Why a call has no usable answer. */
export const faults = [...lostReasons, ...answerFaults, 'http_status', 'echo_mismatch'] as const;

export type Fault = (typeof faults)[number];

/** The gateway's answer, shortened and without card data. It is kept for people; the relay does not read it. */
export type Evidence = { http_status?: number; body?: string };

/**
 * The result of one message to the gateway. `not_configured` was not sent either: the profile does not say how to sign it. The evidence of
 * an answer is made on demand, because few answers need it and masking costs time.
 */
export type CallResult =
  /** `code`, here and below: the code of the system or of TLS for a failed connection. */
  | { kind: 'not_sent'; detail?: string; code?: string }
  | { kind: 'not_configured'; detail: string }
  /** Answered with one of the profile's `not_taken_statuses`. */
  | { kind: 'refused'; status: number; evidence: Evidence }
  | { kind: 'unusable'; fault: Fault; evidence: Evidence; code?: string }
  | ({ kind: 'answer'; evidence: () => Evidence } & ReadAnswer);

/** The result of a message with a long answer. A long answer is passed to the shop unparsed. */
export type LongCallResult = CallResult | ({ kind: 'long_answer' } & LongAnswer);

/** Sends an operation's message; see `createGateway`. With `onceWithinMs` it is sent once, with this timeout. */
export type Call = (
  name: OperationName,
  as: GatewayIdentity,
  message: Message,
  own?: CardSecrets,
  onceWithinMs?: number,
) => Promise<CallResult>;

/** Sends a reading message, whose answer may have up to `MAX_LONG_BYTES`. */
export type LongCall = (name: OperationName, as: GatewayIdentity, message: Message) => Promise<LongCallResult>;

/** The maximum bytes of an answer about a whole period. */
const MAX_LONG_BYTES = 64 * 1_048_576;

/** The number of tries of an operation that may be repeated. */
const TRIES = 3;

/** The parts of the gateway's client. `now` returns the time of the payment. */
type Parts = { client: Client; profile: Profile; signer: Signer; now: () => Date };

/** The client of the gateway's operations: for all messages, and for shops' queries about a whole period. */
export type Gateway = { call: Call; longCall: LongCall };

/** The options of a call. */
type CallOptions = { own?: CardSecrets; onceWithinMs?: number | undefined; maxBytes?: number };

/**
 * Creates the client of the gateway's operations. It writes a message in the forms of the profile, adds identity and signature, sends it,
 * and reads the answer by the operation table. Only operations that the table marks as `resend` are sent again. A message that cannot be
 * signed is not sent.
 */
export function createGateway(parts: Parts): Gateway {
  return {
    async call(name, as, message, own, onceWithinMs) {
      const called = await send(parts, name, as, message, { ...(own ? { own } : {}), onceWithinMs });
      // A short answer was requested, so it is never a long one.
      return called.kind === 'long_answer' ? { kind: 'unusable', fault: 'answer_too_large', evidence: {} } : called;
    },
    longCall: (name, as, message) => send(parts, name, as, message, { maxBytes: MAX_LONG_BYTES }),
  };
}

async function send(
  { client, profile, signer, now }: Parts,
  name: OperationName,
  as: GatewayIdentity,
  message: Message,
  { own = {}, onceWithinMs, ...terms }: CallOptions,
): Promise<LongCallResult> {
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
  if (isOver(deadline)) return { kind: 'not_sent', detail: SIGNED_TOO_LATE };
  const owner = `${as.merchant_id} ${as.account_id}`;
  const post = { path, contentType, body, headers: as.gateway?.headers ?? {}, owner, ...terms };
  const check = { signer, verify: profile.verify, secret: as.signingSecret, own: signed.signature };
  for (let tries = resend && onceWithinMs === undefined ? TRIES : 1; ; tries--) {
    const called = await read(name, await client.post(post, deadline), own, check, profile, deadline);
    if (tries === 1 || isOver(deadline) || !mayBeRepeated(called)) return called;
  }
}

const SIGNED_TOO_LATE = 'Signing this message took too long, so nothing was sent. Try again.';
const NOT_SIGNED = 'The relay could not sign this message, so nothing was sent. Its log says why.';

/** An answer that is too large is not requested again: it would be too large again, and is the most expensive to read. */
function mayBeRepeated(called: LongCallResult): boolean {
  return called.kind === 'not_sent' || (called.kind === 'unusable' && called.fault !== 'answer_too_large');
}

const FORM = 'application/x-www-form-urlencoded';

/** The fields with values, and the identity in place of any other. */
function withIdentity(message: Message, { merchant_id, account_id }: GatewayIdentity): Message {
  const identified: Record<string, unknown> = {};
  for (const name in message) if (message[name] !== undefined) identified[name] = message[name];
  identified.merchant_id = merchant_id;
  identified.account_id = account_id;
  return identified;
}

/** A signed message as JSON: the signed text and the signature after it, if that text is JSON. */
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
  check: Check,
  { signing, not_taken_statuses }: Profile,
  deadline: Deadline,
): Promise<LongCallResult> {
  if (exchange.kind === 'not_sent') return exchange;
  if (exchange.kind === 'lost') {
    const { reason: fault, code } = exchange;
    return { kind: 'unusable', fault, evidence: {}, ...(code === undefined ? {} : { code }) };
  }
  const { status, contentType } = exchange;
  const [bytes = Buffer.alloc(0)] = exchange.kind === 'answered' ? [exchange.body] : exchange.blocks;
  const evidence = (): Evidence => ({ http_status: status, body: evidenceText(bytes, contentType, own) });
  const unusable = (fault: Fault): CallResult => ({ kind: 'unusable', fault, evidence: evidence() });
  const isAnswer = status === 200;
  if (exchange.kind === 'answered_at_length') {
    if (isAnswer) {
      const task = { name, contentType, signing, verify: check.verify, secret: check.secret, own: check.own };
      // The thread takes the bytes.
      const kept = evidence();
      const answer = await readLongAnswer(exchange, task, deadline);
      return typeof answer === 'string'
        ? { kind: 'unusable', fault: answer, evidence: kept }
        : { kind: 'long_answer', ...answer };
    }
    exchange.permit.release();
  }
  if (not_taken_statuses.includes(status)) return { kind: 'refused', status, evidence: evidence() };
  if (!isAnswer) return unusable('http_status');
  const answer = await readAnswer(name, { bytes, contentType }, check);
  return typeof answer === 'string' ? unusable(answer) : { kind: 'answer', ...answer, evidence };
}

function evidenceText(body: Buffer, contentType: string, own: CardSecrets): string {
  // Masked before it is cut, so that no half of a card number is left at the end.
  return maskText(decodeLoosely(body.subarray(0, 16_384), contentType), own).slice(0, 2000);
}
