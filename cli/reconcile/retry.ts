import { RelayAnswerUnusable, RelayRefused } from '../../client/index.ts';
import { CliError, EXIT } from '../base/errors.ts';
import type { Io } from '../base/io.ts';

/** The pauses before a query is repeated that the gateway refused or did not answer in time. */
const PAUSES_MS = [2000, 8000];

/** The number of consecutive failures that cannot be the fault of a single order. */
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

/** The answers, and the names that cannot be queried. */
type Answered<Entry> = { entries: Entry[]; left: string[] };

/**
 * Asks about names, at most as many as one question may hold. If their answer cannot be used, the names are halved until the one
 * at fault stands alone; what the relay cannot write into a list is left out. Throws what the question throws otherwise.
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

/** Whether the answer cannot be used, which one order of many can be to blame for. */
export function isContentFault(error: unknown): boolean {
  if (error instanceof RelayAnswerUnusable) return true;
  return (error instanceof RelayRefused || error instanceof CliError) && FAULTS.includes(error.code);
}

const FAULTS: readonly string[] = ['gateway_answer_unusable', 'query_refused'];

/** The places in the list of what the relay cannot write into one, such as a number that holds the list's separator. */
function refusedPlaces(error: unknown): Set<number> {
  if (!(error instanceof RelayRefused) || error.code !== 'invalid_request') return new Set();
  return new Set(error.errors.flatMap(({ path }) => Number(/^(?:orders|refund_orders)\.(\d+)$/.exec(path)?.[1] ?? [])));
}
