import { type CardSecrets, maskText } from '../../shared/card-data/mask.ts';
import { type OperationName, operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { Logger } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Outages } from '../base/outages.ts';
import type { Tracer } from '../base/tracing.ts';
import { decodeLoosely } from './answers/decode-answer.ts';
import { type LongAnswer, readLongAnswer } from './answers/long-answer.ts';
import { answerFaults, type Check, type ReadAnswer, readAnswer } from './answers/read-answer.ts';
import { type Client, type Deadline, type Exchange, isOver, lostReasons } from './client.ts';
import type { Profile } from './profile.ts';
import type { Signed, Signer } from './signing/signer.ts';
import { wireForms } from './wire-forms.ts';

/** The identity under which messages are signed and sent, and the headers that its messages need besides. */
export type Sender = {
  merchant_id: string;
  account_id: string;
  signingSecret: string;
  gateway?: { headers: Readonly<Record<string, string>> };
};

/** Why an answer, or the lack of one, tells nothing. */
export const faults = [...lostReasons, ...answerFaults, 'http_status', 'echo_mismatch'] as const;

export type Fault = (typeof faults)[number];

/** What the gateway sent, without card data and cut short; kept for people, never read by us. */
export type Evidence = { http_status?: number; body?: string };

/**
 * The result of one message to the gateway. `not_configured`, too, was not sent: the profile does not say how it is signed. The evidence of
 * an answer is made on demand: few answers prove nothing, and card data is looked for in each text that is kept.
 */
export type CallResult =
  /** `code`, here and below: why the connection failed, in the words of the system or of TLS. */
  | { kind: 'not_sent'; detail?: string; code?: string }
  | { kind: 'not_configured'; detail: string }
  /** Answered with one of the profile's `not_taken_statuses`. */
  | { kind: 'refused'; status: number; evidence: Evidence }
  | { kind: 'unusable'; fault: Fault; evidence: Evidence; code?: string }
  | ({ kind: 'answer'; evidence: () => Evidence } & ReadAnswer);

/** The same where an answer may be long: such a one is no message to us, but what the shop is answered. */
type LongCallResult = CallResult | ({ kind: 'long_answer' } & LongAnswer);

/** What came of a call, in one word: an answer, or why there is none that can be used. */
type GatewayResult = Exclude<CallResult['kind'], 'unusable'> | Fault;

/** Sends an operation's message; see `createGateway`. With `onceWithinMs` it is tried once, in so much time at the most. */
export type Call = (
  name: OperationName,
  as: Sender,
  message: Message,
  own?: CardSecrets,
  onceWithinMs?: number,
) => Promise<CallResult>;

/** Sends a message that only reads, whose answer may have up to `MAX_LONG_BYTES`. */
export type LongCall = (name: OperationName, as: Sender, message: Message) => Promise<LongCallResult>;

/** The most bytes of an answer about a whole period. */
const MAX_LONG_BYTES = 64 * 1_048_576;

/** How often an operation that may be repeated is tried in all. */
const TRIES = 3;

/** What the way to the gateway is made of. `now` is the moment of payment. */
type Parts = { client: Client; profile: Profile; signer: Signer; now: () => Date };

/** The ways to the gateway: for all messages, and for those of shops that may ask about a whole period. */
type Gateway = { call: Call; longCall: LongCall };

/** What else may be said of a call. */
type CallOptions = { own?: CardSecrets; onceWithinMs?: number | undefined; maxBytes?: number };

/**
 * The one way to the gateway: gives a message the forms that the profile asks for, adds identity and signature, sends it,
 * and reads the answer as the operation table says. Nothing but an operation that the table marks as `resend` is ever
 * sent twice. What cannot be signed is not sent.
 */
export function createGateway(parts: Parts): Gateway {
  return {
    async call(name, as, message, own, onceWithinMs) {
      const called = await send(parts, name, as, message, { ...(own ? { own } : {}), onceWithinMs });
      // None was asked for.
      return called.kind === 'long_answer' ? { kind: 'unusable', fault: 'answer_too_large', evidence: {} } : called;
    },
    longCall: (name, as, message) => send(parts, name, as, message, { maxBytes: MAX_LONG_BYTES }),
  };
}

async function send(
  { client, profile, signer, now }: Parts,
  name: OperationName,
  as: Sender,
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

/** An answer that is too large would be as large again, and costs most to read. */
function mayBeRepeated(called: LongCallResult): boolean {
  return called.kind === 'not_sent' || (called.kind === 'unusable' && called.fault !== 'answer_too_large');
}

const FORM = 'application/x-www-form-urlencoded';

/** The fields that have a value, with the identity in place of any other. */
function withIdentity(message: Message, { merchant_id, account_id }: Sender): Message {
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

/** What sees the calls of the gateway. */
type Observers = { metrics: Metrics; tracer: Tracer; log: Logger; outages: Outages };

/**
 * The same ways, measured, traced and logged: what came of each call and how long it took, with all its tries. Of a payment
 * that the gateway answered one line tells, which also knows what the answer meant: a line costs a fiftieth of a payment. No
 * header of the trace is sent: the gateway's interface knows none.
 */
export function observedGateway({ call, longCall }: Gateway, watch: Observers): Gateway {
  return {
    call: (name, as, message, ...rest) => observed(name, message, () => call(name, as, message, ...rest), watch),
    longCall: (name, as, message) => observed(name, message, () => longCall(name, as, message), watch),
  };
}

async function observed<AnyResult extends LongCallResult>(
  name: OperationName,
  { order_no }: Message,
  call: () => Promise<AnyResult>,
  { metrics, tracer, log, outages }: Observers,
): Promise<AnyResult> {
  const started = performance.now();
  const about = {
    'turnpike.operation': name,
    'turnpike.order_no': typeof order_no === 'string' ? order_no : undefined,
  };
  const called = await tracer.work(`gateway ${name}`, about, call, (known) => ({
    'turnpike.result': resultOf(known),
    'http.response.status_code': statusOf(known),
  }));
  const ms = performance.now() - started;
  const result = resultOf(called);
  metrics.gatewayCall(name, result, ms / 1000);
  const code = codeOf(called);
  if (called.kind === 'not_sent' && code !== undefined) outages.failed('gateway', code);
  else if (statusOf(called) !== undefined) outages.works('gateway');
  if (called.kind === 'answer' && (name === 'direct_payment' || name === 'apm_payment')) return called;
  log.info({ name, result, code, http_status: statusOf(called), ms: Math.round(ms) }, 'gateway called');
  return called;
}

function statusOf(called: LongCallResult): number | undefined {
  switch (called.kind) {
    case 'answer':
    case 'long_answer':
      return 200;
    case 'refused':
    case 'unusable':
      return called.evidence.http_status;
    default:
      return undefined;
  }
}

/** Why a connection failed. */
function codeOf(called: LongCallResult): string | undefined {
  return called.kind === 'not_sent' || called.kind === 'unusable' ? called.code : undefined;
}

/** What came of a call, in one word. */
function resultOf(called: LongCallResult): GatewayResult {
  if (called.kind === 'long_answer') return 'answer';
  return called.kind === 'unusable' ? called.fault : called.kind;
}
