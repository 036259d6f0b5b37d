import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger };

/** The relay's log: JSON lines. Callers pass only what may be read by anybody who reads logs: ids, codes, times. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino({ level, base: { app: 'turnpike-relay' }, timestamp: stdTimeFunctions.isoTime }, destination);
}
