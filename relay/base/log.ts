import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { holdsCard, maskText } from '../../shared/card-data/mask.ts';
import { StoreError } from './errors.ts';
import { logTo, STDOUT } from './log-destination.ts';

/** The value in the log of an unlisted field, or of a field with a wrong value. */
const REDACTED = '[redacted]';

/** A short text without room for a sentence: an id, a code, a time, a place in our code. */
const SHORT_TEXT = /^[\w.:~/{}()[\]*|, -]{1,200}$/;

/** The values that a field may have: returns the value to write. `Value` is the type that callers pass. */
type Kind<Value> = ((value: unknown) => unknown) & { readonly takes?: Value };

const shortText: Kind<string> = (value) =>
  typeof value === 'string' && SHORT_TEXT.test(value) && !holdsCard(value) ? value : REDACTED;

/** An identifier from the gateway, without the payment's own card. It may look like a card number by chance. */
const reference: Kind<string> = (value) =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : REDACTED;

/** A number too small to be a card number. */
const number: Kind<number> = (value) => (typeof value === 'number' && Math.abs(value) < 1e11 ? value : REDACTED);

const flag: Kind<boolean> = (value) => (typeof value === 'boolean' ? value : REDACTED);

const shortTexts: Kind<readonly string[]> = (value) => (Array.isArray(value) ? value.map(shortText) : REDACTED);

/** Problems of settings: messages of the relay that name paths and never values. */
const messages: Kind<readonly string[]> = (value) =>
  Array.isArray(value) ? value.map((one) => maskText(String(one)).slice(0, 300)) : REDACTED;

/** The outcome of each item of a batch, which may have a hundred. */
const outcomes: Kind<string> = (value) =>
  typeof value === 'string' && /^[a-z ]{1,2000}$/.test(value) ? value : REDACTED;

/** The gateway's answer, masked with the payment's own card when it was read. */
const evidence: Kind<{ http_status?: number; body?: string }> = (value) => {
  if (typeof value !== 'object' || value === null) return REDACTED;
  const { http_status, body }: { http_status?: unknown; body?: unknown } = value;
  return {
    ...(http_status === undefined ? {} : { http_status: number(http_status) }),
    ...(typeof body === 'string' ? { body: maskText(body) } : {}),
  };
};

/** Every field that a log line may have. Other fields are not written, so that a careless call reveals nothing. */
const kinds = {
  // The ids of the subject.
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
  // What happened.
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
  // The request, and the place of an error.
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

/** The fields of a log line, each with the type of its kind. */
type LogFields = {
  readonly [Name in Field]?: ((typeof kinds)[Name] extends Kind<infer Value> ? Value : never) | undefined;
};

/**
 * Returns the fields to write. Unlisted fields and wrong values become `[redacted]`. Names that are not plain words are dropped: they may be
 * values themselves.
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

/** The subject of log lines: the request or the poller, and the attempt or operation that it sends. */
type Trace = {
  request_id?: string;
  trace_id?: string;
  poller?: string;
  session?: string;
  attempt?: string;
  operation?: string;
};

const traces = new AsyncLocalStorage<Trace>();

/** Runs `work`, and adds the subject to every log line that it writes. */
export function traced<Result>(trace: Trace, work: () => Result): Result {
  return traces.run({ ...traces.getStore(), ...trace }, work);
}

/** Returns the subject of the running work. */
export function currentTrace(): Trace {
  return traces.getStore() ?? nothing;
}

const nothing: Trace = {};

/**
 * Writes one line: listed fields (see `kinds`) and a message that is a literal. A message of type `string` does not compile, because it
 * could quote data.
 */
type Write = <Message extends string>(fields: LogFields, message: string extends Message ? never : Message) => void;

export type Logger = { readonly [Level in 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal']: Write };

/**
 * The relay's log: JSON lines. Every line names the relay, its version, and the request or poller. Only listed fields are written.
 * @param instance the relay's name among others; see `instanceName`
 */
export function createLog(level: string, destination?: DestinationStream, instance = hostname()): Logger {
  const base = { app: 'turnpike-relay', version: manifest.version, instance };
  const options = {
    level,
    base,
    timestamp: stdTimeFunctions.isoTime,
    // A copy, because pino writes the line's own fields into it.
    mixin: () => ({ ...currentTrace() }),
    formatters: { log: loggable, level: (name: string) => ({ level: name }) },
  };
  return pino(options, destination ?? logTo(STDOUT, droppedLine(base)));
}

/** Returns a function that writes the line about dropped lines, in the form of other lines. */
function droppedLine(base: object): (count: number) => string {
  return (count) => {
    const fields = { level: 'warn', time: new Date().toISOString(), ...base, count };
    return `${JSON.stringify({ ...fields, msg: 'log lines dropped: they were not read in time' })}\n`;
  };
}

const INSTANCE = /^[\w.:@/-]{1,100}$/;

/**
 * The relay's name on its log lines and traces: the given name, otherwise its host and port. Undefined if the given name is not 1 to 100
 * letters, digits or `. : _ @ / -`.
 */
export function instanceName(given: string | undefined, port: number): string | undefined {
  if (given) return INSTANCE.test(given) ? given : undefined;
  return `${hostname()
    .replace(/[^\w.-]/g, '-')
    .slice(0, 64)}:${port}`;
}

/** The log fields of an error: its name, its code, and the place in our code. Never its message, which may quote data. */
export function failureFields(error: unknown): Pick<LogFields, 'error' | 'code' | 'reason' | 'at'> {
  if (!(error instanceof Error)) return { error: 'unknown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const reason = error instanceof StoreError ? error.reason : undefined;
  return { error: error.name, code, reason, at: placeOf(error) };
}

/** The place in our code where an error, or its cause, arose: file and line. */
function placeOf(error: Error): string | undefined {
  const inner = error.cause instanceof Error ? error.cause : error;
  return /\n +at .*?((?:relay|shared)\/[\w/.-]+:\d+)/.exec(inner.stack ?? '')?.[1];
}
