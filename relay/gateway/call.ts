import { type OperationName, operations } from '../../shared/gateway/operations.ts';
import { type Message, sameText, sign } from '../../shared/gateway/signature.ts';
import type { Client, Exchange } from './client.ts';
import type { Profile } from './profile.ts';
import { type CardSecrets, redactText } from './redact.ts';
import { readXmlAnswer, XmlAnswerError, type XmlFault } from './xml-answer.ts';

/** The identity under which messages are signed and sent. */
export type Signatory = { merchant_id: string; account_id: string; signingSecret: string };

/** Why an answer, or the lack of one, tells nothing. */
export type Fault =
  | Extract<Exchange, { kind: 'lost' }>['reason']
  | XmlFault
  | 'http_status'
  | 'not_json'
  | 'wrong_shape'
  | 'signature_missing'
  | 'signature_wrong'
  | 'echo_mismatch';

/** What the gateway sent, without card data and cut short; kept for people, never read by us. */
export type Evidence = { http_status?: number; body?: string };

/** What came of one message to the gateway. */
export type Called =
  | { kind: 'not_sent' }
  | { kind: 'refused'; status: 400 | 404; evidence: Evidence }
  | { kind: 'unusable'; fault: Fault; evidence: Evidence }
  | { kind: 'answer'; message: Message; evidence: Evidence };

/** Sends an operation's message; see `createGateway`. */
export type Call = (name: OperationName, as: Signatory, message: Message, own?: CardSecrets) => Promise<Called>;

/** How often an operation that may be repeated is tried in all. */
const TRIES = 3;

/**
 * The one way to the gateway: adds identity and signature to a message, sends it, and reads the answer as the operation
 * table says. Nothing but an operation that the table marks as `resend` is ever sent twice.
 */
export function createGateway(client: Client, profile: Profile): Call {
  return async (name, as, message, own = {}) => {
    const { encoding, path, resend } = operations[name];
    const signed = signedMessage(message, as, profile);
    const [contentType, body] =
      encoding === 'json' ? [profile.json_content_type, JSON.stringify(signed)] : [FORM, formBody(signed)];
    for (let tries = resend ? TRIES : 1; ; tries--) {
      const called = read(name, await client.post(path, contentType, body), { as, signed, profile, own });
      if (tries === 1 || !isWorthRepeating(called)) return called;
    }
  };
}

/** A timeout has used up the whole call's time. */
function isWorthRepeating(called: Called): boolean {
  return called.kind === 'not_sent' || (called.kind === 'unusable' && called.fault !== 'timeout');
}

const FORM = 'application/x-www-form-urlencoded';

type SignedMessage = Message & { encryption_data: string };

function signedMessage(message: Message, as: Signatory, profile: Profile): SignedMessage {
  const { service, ...fields } = message;
  const named = {
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    ...(service === undefined ? {} : { [profile.service_field]: service }),
    merchant_id: as.merchant_id,
    account_id: as.account_id,
  };
  return { ...named, encryption_data: sign(named, as.signingSecret) };
}

function formBody(message: Message): string {
  return new URLSearchParams(Object.entries(message).map(([name, value]) => [name, String(value)])).toString();
}

type Context = { as: Signatory; signed: SignedMessage; profile: Profile; own: CardSecrets };

function read(name: OperationName, exchange: Exchange, context: Context): Called {
  if (exchange.kind === 'not_sent') return exchange;
  if (exchange.kind === 'lost') return { kind: 'unusable', fault: exchange.reason, evidence: {} };
  const { status, body } = exchange;
  const evidence = { http_status: status, body: evidenceText(body, context.own) };
  if (status === 400 || status === 404) return { kind: 'refused', status, evidence };
  const unusable = (fault: Fault): Called => ({ kind: 'unusable', fault, evidence });
  if (status !== 200) return unusable('http_status');
  const message = operations[name].answerFormat === 'xml' ? readXml(body) : readJson(body);
  if (typeof message === 'string') return unusable(message);
  const shaped = operations[name].answer.safeParse(message);
  if (!shaped.success) return unusable('wrong_shape');
  const fault = signatureFault(name, message, context);
  return fault ? unusable(fault) : { kind: 'answer', message, evidence };
}

function signatureFault(name: OperationName, message: Message, context: Context): Fault | undefined {
  const rule = context.profile.verify[name] ?? operations[name].verify;
  if (rule === 'off') return undefined;
  const given = message.encryption_data;
  if (typeof given !== 'string' || given === '') return rule === 'required' ? 'signature_missing' : undefined;
  // Some gateways send the request's own signature back; it proves nothing, so it counts only where none is needed.
  if (rule === 'if_present' && sameText(given, context.signed.encryption_data)) return undefined;
  return sameText(given, sign(message, context.as.signingSecret)) ? undefined : 'signature_wrong';
}

function readXml(body: Buffer): Message | XmlFault {
  try {
    return readXmlAnswer(body);
  } catch (error) {
    if (error instanceof XmlAnswerError) return error.code;
    throw error;
  }
}

function readJson(body: Buffer): Message | 'not_json' {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isObject(value) ? value : 'not_json';
  } catch {
    return 'not_json';
  }
}

function isObject(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function evidenceText(body: Buffer, own: CardSecrets): string {
  // Redacted before it is cut, so that no half of a card number is left at the end.
  return redactText(body.subarray(0, 16_384).toString('utf8'), own).slice(0, 2000);
}
