import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { holdsCard, maskText } from '../../shared/card-data/mask.ts';
import { StoreError } from './errors.ts';
import { logTo, STDOUT } from './log-destination.ts';

/** The value in a log of a field that must not be there, or that is not what its name says. */
const REDACTED = '[redacted]';

/** A short text without room for a sentence: an id, a code, a time, a place in our code. */
const SHORT_TEXT = /^[\w.:~/{}()[\]*|, -]{1,200}$/;

/** What a field may hold: returns the value as it is written. `Value` is what callers pass. */
type Kind<Value> = ((value: unknown) => unknown) & { readonly takes?: Value };

const shortText: Kind<string> = (value) =>
  typeof value === 'string' && SHORT_TEXT.test(value) && !holdsCard(value) ? value : REDACTED;

/** An identifier of the gateway's, which may pass for a card number by chance; the payment's own card is out of it. */
const reference: Kind<string> = (value) =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : REDACTED;

/** A figure, too small for a card number. */
const number: Kind<number> = (value) => (typeof value === 'number' && Math.abs(value) < 1e11 ? value : REDACTED);

const flag: Kind<boolean> = (value) => (typeof value === 'boolean' ? value : REDACTED);

const shortTexts: Kind<readonly string[]> = (value) => (Array.isArray(value) ? value.map(shortText) : REDACTED);

/** What is wrong with settings: lines of our own, which name paths and never values. */
const messages: Kind<readonly string[]> = (value) =>
  Array.isArray(value) ? value.map((one) => maskText(String(one)).slice(0, 300)) : REDACTED;

/** The outcome of each item of a batch, which may have a hundred. */
const outcomes: Kind<string> = (value) =>
  typeof value === 'string' && /^[a-z ]{1,2000}$/.test(value) ? value : REDACTED;

/** What the gateway sent, which was masked with the payment's own card when it was read. */
const evidence: Kind<{ http_status?: number; body?: string }> = (value) => {
  if (typeof value !== 'object' || value === null) return REDACTED;
  const { http_status, body }: { http_status?: unknown; body?: unknown } = value;
  return {
    ...(http_status === undefined ? {} : { http_status: number(http_status) }),
    ...(typeof body === 'string' ? { body: maskText(body) } : {}),
  };
};

/** Every field that a log line may have. What is not here is not written, so that a careless call tells nothing. */
const kinds = {
  // What the line is about, by id.
  request_id: shortText,
  trace_id: shortText,
  poller: shortText,
  session: shortText,
  attempt: shortText,
  operation: shortText,
  event: shortText,
  endpoint: shortText,
  recipient: shortText,
  subject: shortText,
  account: shortText,
  transaction_id: reference,
  // What happened to it.
  name: shortText,
  type: shortText,
  status: shortText,
  outcome: shortText,
  result: shortText,
  reason: shortText,
  code: shortText,
  part: shortText,
  codes: shortTexts,
  problems: messages,
  operations: shortTexts,
  items: outcomes,
  direction: shortText,
  fault: shortText,
  why: shortText,
  by: shortText,
  kind: shortText,
  used: shortText,
  written: flag,
  verified: flag,
  evidence,
  // How it was asked for, and where it went wrong.
  method: shortText,
  route: shortText,
  url: shortText,
  error: shortText,
  at: shortText,
  // Numbers and times.
  http_status: number,
  ms: number,
  bytes: number,
  count: number,
  open_orders: number,
  open_operations: number,
  requests: number,
  tries: number,
  times: number,
  next_try_at: shortText,
  first_try_at: shortText,
  delivered_at: shortText,
  failed_at: shortText,
  since: shortText,
  until: shortText,
} as const;

type Field = keyof typeof kinds;

/** The fields of a log line, each with what its name says. */
type LogFields = {
  readonly [Name in Field]?: ((typeof kinds)[Name] extends Kind<infer Value> ? Value : never) | undefined;
};

/**
 * The fields as they are written: of those that are listed the values that are what their names say, and `[redacted]` for
 * anything else. A name that is no plain word is left out, for it may be a value itself.
 */
export function loggable(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    if (isField(name)) written[name] = kinds[name](value);
    else if (/^[a-z_]{1,40}$/i.test(name)) written[name] = REDACTED;
  }
  return written;
}

function isField(name: string): name is Field {
  return Object.hasOwn(kinds, name);
}

/** What some work is done for: a request, or a poll that no request asked for; and the attempt or operation that it sends. */
type Trace = {
  request_id?: string;
  trace_id?: string;
  poller?: string;
  session?: string;
  attempt?: string;
  operation?: string;
};

const traces = new AsyncLocalStorage<Trace>();

/** Does some work so that every log line written meanwhile, by whatever it calls, tells what it is done for. */
export function traced<Result>(trace: Trace, work: () => Result): Result {
  return traces.run({ ...traces.getStore(), ...trace }, work);
}

/** What is being done now. */
export function currentTrace(): Trace {
  return traces.getStore() ?? nothing;
}

const nothing: Trace = {};

/**
 * Writes one line: listed fields (see `kinds`) and a message that is written in the code. A message that is put together
 * while the relay runs does not compile, for it may quote what is being handled.
 */
type Write = <Message extends string>(fields: LogFields, message: string extends Message ? never : Message) => void;

export type Logger = { readonly [Level in 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal']: Write };

/**
 * The relay's log: JSON lines. Every line tells which relay wrote it, in which version, and for which request or poller.
 * Whatever a caller passes, only fields that are listed reach the line.
 * @param instance the relay's name among others; see `instanceName`
 */
export function createLog(level: string, destination?: DestinationStream, instance = hostname()): Logger {
  const base = { app: 'turnpike-relay', version: manifest.version, instance };
  const options = {
    level,
    base,
    timestamp: stdTimeFunctions.isoTime,
    // A copy, for pino writes the line's own fields into it.
    mixin: () => ({ ...currentTrace() }),
    formatters: { log: loggable, level: (name: string) => ({ level: name }) },
  };
  return pino(options, destination ?? logTo(STDOUT, droppedLine(base)));
}

/** Makes the line that counts those that were not read in time, in the form of the others. */
function droppedLine(base: object): (count: number) => string {
  return (count) => {
    const fields = { level: 'warn', time: new Date().toISOString(), ...base, count };
    return `${JSON.stringify({ ...fields, msg: 'log lines dropped: they were not read in time' })}\n`;
  };
}

const INSTANCE = /^[\w.:@/-]{1,100}$/;

/**
 * The relay's name on its log lines and traces: what is given, or else its host and port. Undefined where the given name is
 * not 1 to 100 letters, digits or `. : _ @ / -`.
 */
export function instanceName(given: string | undefined, port: number): string | undefined {
  if (given) return INSTANCE.test(given) ? given : undefined;
  return `${hostname()
    .replace(/[^\w.-]/g, '-')
    .slice(0, 64)}:${port}`;
}

/** What may be told of an error: its name, its code, and where our own code was. Never its text, which may quote anything. */
export function failureFields(error: unknown): Pick<LogFields, 'error' | 'code' | 'reason' | 'at'> {
  if (!(error instanceof Error)) return { error: 'unknown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const reason = error instanceof StoreError ? error.reason : undefined;
  return { error: error.name, code, reason, at: placeOf(error) };
}

/** Where our own code was when an error, or what caused it, arose: file and line. */
function placeOf(error: Error): string | undefined {
  const inner = error.cause instanceof Error ? error.cause : error;
  return /\n +at .*?((?:relay|shared)\/[\w/.-]+:\d+)/.exec(inner.stack ?? '')?.[1];
}
