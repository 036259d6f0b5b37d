import { ProblemError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
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
  newId: NewId;
  now: () => Date;
};

/** The account that a session belongs to. Throws ProblemError when the configuration no longer has it. */
export function accountOf(context: Context, id: string): Account {
  const account = context.config.accounts.find((entry) => entry.id === id);
  if (!account) throw new ProblemError('not_found', 'The account of this session is no longer configured.');
  return account;
}

/** Longer than any share of work can take: a relay that holds one for so long has died. */
const leaseMs = (timeoutMs: number): number => timeoutMs + 30_000;

/** A share of the work on what is stored, from now on, of at most `limit` things. */
export function leaseOf({ config, now }: Context, limit: number): Lease {
  const start = now();
  const until = new Date(start.getTime() + leaseMs(config.gateway.timeout_ms));
  return { now: start.toISOString(), until: until.toISOString(), limit };
}
