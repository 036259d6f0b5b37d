import { randomFillSync } from 'node:crypto';
import { ProblemError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Bell } from '../base/rounds.ts';
import type { Account, Config } from '../config/load.ts';
import type { Call } from '../gateway/call.ts';
import type { Signer } from '../gateway/signing/signer.ts';
import type { Lease, Store } from './store.ts';

/** Everything that the relay's rooms share; the clock is in it so that tests can hold it. */
export type Context = {
  config: Config;
  store: Store;
  call: Call;
  signer: Signer;
  log: Logger;
  metrics: Metrics;
  /** Rings when a notification of a payment was stored. */
  notified: Bell;
  now: () => Date;
};

/** The account that a session belongs to. Throws ProblemError when the configuration no longer has it. */
export function accountOf(context: Context, id: string): Account {
  const account = context.config.accounts.find((entry) => entry.id === id);
  if (!account) throw new ProblemError('not_found', 'The account of this session is no longer configured.');
  return account;
}

/**
 * A new id: a prefix that tells what it names, the moment in milliseconds (base 36) and 144 random bits. Ids that are made
 * one after the other sort so: a store with a million of them writes the next ones side by side, not all over its index.
 */
export function newId(prefix: 'cs' | 'at' | 'dv' | 'req' | 'op' | 'msg'): string {
  return `${prefix}_${Date.now().toString(36).padStart(8, '0')}${randomText()}`;
}

const RANDOM_BYTES = 18;

/** Random bytes for the next ids: asking the system for some at a time costs more than all else about an id. */
const pool = Buffer.alloc(RANDOM_BYTES * 128);
let used = pool.length;

function randomText(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += RANDOM_BYTES;
  return pool.toString('base64url', used - RANDOM_BYTES, used);
}

/** Longer than any share of work can take: a relay that holds one for so long has died. */
const leaseMs = (timeoutMs: number): number => timeoutMs + 30_000;

/** A share of the work on what is stored, from now on, of at most `limit` things. */
export function leaseOf({ config, now }: Context, limit: number): Lease {
  const start = now();
  const until = new Date(start.getTime() + leaseMs(config.gateway.timeout_ms));
  return { now: start.toISOString(), until: until.toISOString(), limit };
}
