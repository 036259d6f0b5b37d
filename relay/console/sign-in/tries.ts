import { ProblemError } from '../../base/errors.ts';
import { derive } from '../../base/keys.ts';
import { limitProblem, network } from '../../http/limits.ts';
import type { Quota } from '../../payments/limits.ts';
import type { Context } from '../../store/context.ts';

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;

/**
 * How often a password may be tried: for a name from one address, so that nobody elsewhere keeps its person out at once; for
 * a name; and from an address.
 */
const MAX_PER_NAME_AND_ADDRESS = 10;
const MAX_PER_NAME = 100;
const MAX_PER_ADDRESS = 50;

/** A try that was counted. `succeeded` gives it back: only wrong passwords use tries up. */
export type Try = { succeeded(): Promise<void> };

/** Counts a try to sign in. Throws ProblemError `too_many_attempts` for one too many, which is not counted, and StoreError. */
export async function countTry(context: Context, name: string, ip: string | undefined): Promise<Try> {
  const { store, now } = context;
  const quotas = quotasOf(context, name, network(ip ?? ''));
  const at = now().toISOString();
  const limited = await store.countAttempt(quotas, at);
  if (limited) throw limitProblem(context, limited);
  return { succeeded: () => store.uncountAttempt(quotas, at) };
}

/** The 429 of a moment in which too many passwords are being checked. */
export function tooBusy(): ProblemError {
  return new ProblemError('too_many_attempts', 'Too many sign in at this moment. Try again.', {
    headers: { 'Retry-After': '1' },
  });
}

/** The store sees keyed hashes of names and addresses alone. */
function quotasOf({ config }: Context, name: string, address: string): Quota[] {
  const [account] = config.accounts;
  if (!account) return [];
  const quota = (thing: readonly string[], most: number, window_ms: number): Quota => {
    const key = derive(account.derivedKeys, 'counted attempt', `console ${JSON.stringify(thing)}`);
    return { name: 'sign_in', key, most, window_ms };
  };
  return [
    quota(['both', name, address], MAX_PER_NAME_AND_ADDRESS, QUARTER_MS),
    quota(['name', name], MAX_PER_NAME, HOUR_MS),
    quota(['address', address], MAX_PER_ADDRESS, HOUR_MS),
  ];
}
