import type { PoolClient } from 'pg';
import type { Statement } from '../../sql/plan.ts';
import { SERVER_CLOCK } from '../schema/transactions.ts';
import { isOver, notSent } from './connections.ts';
import type { SendSteps } from './send.ts';

/**
 * The time after which a procedure must not begin to commit. The rest of `CALL_MS` is for the commit and its answer.
 */
const COMMIT_MS = 4500;

/** How long the relay uses a reading of the server's clock, because the two clocks may drift apart. */
const CLOCK_MS = 60_000;

/** A reading of the server's clock, and the relay's own time (`performance.now`) at its arrival. */
type Reading = { server: number; at: number };

/** The clock of the current server. A reading is used for a minute. */
export function createServerClock(send: SendSteps) {
  let clock: Reading | undefined;

  const knownClock = () => (clock && performance.now() - clock.at <= CLOCK_MS ? clock : undefined);
  const readClock = async (client: PoolClient) => {
    const known = knownClock();
    if (known) return known;
    const [rows] = await send(client, [[askClock]]);
    clock = { server: Number(rows?.[0]?.clock), at: performance.now() };
    return clock;
  };

  /** The time, by the server's clock, after which it must not commit work that has waited since `start`. */
  const deadlineOf = async (client: PoolClient, start: number): Promise<number> => {
    const known = await readClock(client);
    if (isOver(start)) throw notSent();
    // The clock was read before its answer arrived. So by the relay's own clock, the server's deadline is never later
    // than `COMMIT_MS` after `start`.
    return Math.floor(known.server + start + COMMIT_MS - known.at);
  };

  return {
    /** The last reading, if it is still valid. */
    known: knownClock,
    read: readClock,
    deadlineOf,
    /** Drops the reading. */
    reset: (): void => {
      clock = undefined;
    },
  };
}

const askClock: Statement = { name: 'clock', text: `SELECT ${SERVER_CLOCK} AS clock` };
