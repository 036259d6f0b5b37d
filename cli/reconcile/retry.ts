import { RelayAnswerUnusable, RelayRefused } from '../../client/index.ts';
import { CliError, EXIT } from '../base/errors.ts';
import type { Io } from '../base/io.ts';

/** The pauses before a refused or late query is repeated. */
const PAUSES_MS = [2000, 8000];

/** The number of consecutive failures that a single order cannot cause. */
const MAX_FAILURES = 10;

/** The gateway refused the query: its return_status is no success. */
export function gatewayRefused(what: string, message: string | null | undefined): CliError {
  const said = message ? `: ${message}` : '';
  return new CliError('query_refused', `The gateway refused the ${what}${said}`, { exitCode: EXIT.unknown });
}

/** Sends a query, and repeats it after a pause if the gateway is slow or limits the rate. */
export async function withRetries<Answer>(io: Io, ask: () => Promise<Answer>): Promise<Answer> {
  for (const pause of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      const isPassing = error instanceof RelayRefused && ['gateway_timeout', 'gateway_refused'].includes(error.code);
      if (!isPassing) throw error;
    }
    await io.wait(pause);
  }
  return ask();
}

/** The answers, and the names about which the gateway cannot be queried. */
type Answered<Entry> = { entries: Entry[]; left: string[] };

/**
 * Queries about names, at most as many as one query may have. If an answer is unusable, the names are halved until the
 * one at fault is alone; names that the relay cannot write into a list are left out. Throws other errors.
 */
export async function askAbout<Entry>(
  io: Io,
  names: readonly string[],
  ask: (names: string[]) => Promise<readonly Entry[]>,
): Promise<Answered<Entry>> {
  const answered: Answered<Entry> = { entries: [], left: [] };
  const groups = [[...names]];
  let failures = 0;
  for (let group = groups.pop(); group; group = groups.pop()) {
    if (group.length === 0) continue;
    const asked = group;
    try {
      answered.entries.push(...(await withRetries(io, () => ask(asked))));
      failures = 0;
    } catch (error) {
      const unlistable = refusedPlaces(error);
      if (unlistable.size > 0) {
        answered.left.push(...asked.filter((_, at) => unlistable.has(at)));
        groups.push(asked.filter((_, at) => !unlistable.has(at)));
        continue;
      }
      failures += 1;
      if (!isContentFault(error) || failures === MAX_FAILURES) throw error;
      const middle = Math.ceil(asked.length / 2);
      if (asked.length === 1) answered.left.push(...asked);
      else groups.push(asked.slice(middle), asked.slice(0, middle));
    }
  }
  return answered;
}

/** Whether the answer is unusable, which one of many orders may cause. */
export function isContentFault(error: unknown): boolean {
  if (error instanceof RelayAnswerUnusable) return true;
  return (error instanceof RelayRefused || error instanceof CliError) && FAULTS.includes(error.code);
}

const FAULTS: readonly string[] = ['gateway_answer_unusable', 'query_refused'];

/**
 * The indexes of the names that the relay cannot write into a list, such as a number that contains the list's
 * separator.
 */
function refusedPlaces(error: unknown): Set<number> {
  if (!(error instanceof RelayRefused) || error.code !== 'invalid_request') return new Set();
  return new Set(error.errors.flatMap(({ path }) => Number(/^(?:orders|refund_orders)\.(\d+)$/.exec(path)?.[1] ?? [])));
}
