import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import { type LogFields, loggable } from './log-fields.ts';
import { currentTrace } from './trace.ts';

/**
 * Writes one line: listed fields (see log-fields.ts) and a message that stands in the code. A message that is put together
 * while the relay runs does not compile, for it may quote what is being handled.
 */
type Write = <Message extends string>(fields: LogFields, message: string extends Message ? never : Message) => void;

export type Logger = { readonly [Level in 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal']: Write };

/**
 * The relay's log: JSON lines. Every line tells which request or poller it was written in. Whatever a caller passes, only
 * fields that are listed reach the line.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { app: 'turnpike-relay' },
    timestamp: stdTimeFunctions.isoTime,
    // A copy, for pino writes the line's own fields into it.
    mixin: () => ({ ...currentTrace() }),
    formatters: { log: loggable },
  };
  return pino(options, destination);
}

/** What may be told of an error: its name, its code, and where our own code was. Never its text, which may quote anything. */
export function failureFields(error: unknown): Pick<LogFields, 'error' | 'code' | 'at'> {
  if (!(error instanceof Error)) return { error: 'unknown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { error: error.name, code, at: placeOf(error) };
}

/** Where our own code was when an error, or what caused it, arose: file and line. */
function placeOf(error: Error): string | undefined {
  const inner = error.cause instanceof Error ? error.cause : error;
  return /\n +at .*?((?:relay|shared)\/[\w/.-]+:\d+)/.exec(inner.stack ?? '')?.[1];
}
