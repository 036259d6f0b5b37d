import { type DerivedKeys, derive } from '../../base/keys.ts';
import type { Context } from '../../context/context.ts';
import { limitProblem, network } from '../../http/limits.ts';
import type { Quota } from '../../payments/attempt.ts';
import { isRecoveryCode } from './factor.ts';

/** PCI DSS 4.0.1, 8.3.4. */
const LOCK_MS = 30 * 60_000;
const HOUR_MS = 60 * 60_000;

/** The time for which a network is known after a person signed in from it with their password. */
export const KNOWN_NETWORK_MS = 90 * 86_400_000;

/**
 * The maximum number of tries of a password: for a name from one address, from one address, and for a name from elsewhere, that is from
 * networks from which its person has not signed in before. With any number of addresses, an attacker has 100 guesses an hour for a name, 20 an
 * hour from each network that the person used, and 20 an hour with a stolen recovery code. The limit for elsewhere does not apply at a
 * network that the person used, nor to a password with a recovery code (80 random bits).
 */
const MAX_PER_NAME_AND_ADDRESS = 10;
const MAX_PER_ADDRESS = 50;
const MAX_PER_NAME_ELSEWHERE = 100;
const MAX_PER_NAME_WITH_RECOVERY_CODE = 20;

/** A try of a password, for a sign-in or for a change of it. */
export type SignInTry = {
  /** Whether the person signed in from this network before. */
  isKnown: boolean;
  /** Takes back the count of the try: only wrong passwords and codes count. */
  giveBack(): Promise<void>;
};

/** The values by which a try is counted. */
type Tried = { name: string; ip: string | undefined; code?: string | undefined };

/**
 * Counts a try. Unknown names take as long as known ones. Throws ProblemError `too_many_attempts` for a try over a limit, which is not
 * counted, and StoreError.
 * @param onLockOut called for the first try that a limit refuses, once per period of the limit
 */
export async function countTry(context: Context, tried: Tried, onLockOut: () => void): Promise<SignInTry> {
  const { store, now } = context;
  const at = now().toISOString();
  const address = network(tried.ip ?? '');
  const after = new Date(now().getTime() - KNOWN_NETWORK_MS).toISOString();
  const isKnown = await store.credentials.isKnownNetwork(networkHashes(context, tried.name, address), after);
  const hasRecoveryCode = await isRecoveryCode(context, tried);
  const quotas = quotasOf(context, tried.name, address, { isKnown, hasRecoveryCode });
  const limited = await store.quotas.count(quotas, at);
  if (limited) {
    if (await isFirst(context, quotas, at)) onLockOut();
    throw limitProblem(context, limited);
  }
  return { isKnown, giveBack: () => store.quotas.uncount(quotas, at) };
}

/** Remembers the network that a person signed in from. Throws StoreError. */
export async function knowNetwork(context: Context, name: string, ip: string | undefined): Promise<void> {
  const [hash] = networkHashes(context, name, network(ip ?? ''));
  if (hash !== undefined) await context.store.credentials.seeNetwork(hash, context.now().toISOString());
}

/** Whether this is the first try that the used-up limit refuses in its period. */
async function isFirst(context: Context, quotas: readonly Quota[], at: string): Promise<boolean> {
  const [account] = context.config.accounts;
  for (const quota of quotas) {
    if (!account || !(await context.store.quotas.check([quota], at))) continue;
    const key = keyed(account.derivedKeys, ['locked out', quota.key]);
    return (await context.store.quotas.count([{ ...quota, key, max: 1 }], at)) === undefined;
  }
  return false;
}

/** The quotas of a try. The store gets only keyed hashes of names and addresses. */
function quotasOf(
  { config }: Context,
  name: string,
  address: string,
  { isKnown, hasRecoveryCode }: { isKnown: boolean; hasRecoveryCode: boolean },
): Quota[] {
  const [account] = config.accounts;
  if (!account) return [];
  const quota = (thing: readonly string[], max: number, window_ms: number): Quota => ({
    ...{ name: 'sign_in', key: keyed(account.derivedKeys, thing), max, window_ms },
  });
  const elsewhere = hasRecoveryCode
    ? quota(['recovery code', name], MAX_PER_NAME_WITH_RECOVERY_CODE, HOUR_MS)
    : quota(['name', name], MAX_PER_NAME_ELSEWHERE, HOUR_MS);
  return [
    quota(['both', name, address], MAX_PER_NAME_AND_ADDRESS, LOCK_MS),
    quota(['address', address], MAX_PER_ADDRESS, HOUR_MS),
    ...(isKnown ? [] : [elsewhere]),
  ];
}

/** The hashes under which a network may be known: first by the current secret, then by previous ones. */
function networkHashes({ config }: Context, name: string, address: string): string[] {
  const [account] = config.accounts;
  if (!account) return [];
  return [account.derivedKeys, ...account.previousKeys].map((keys) => keyed(keys, ['network', name, address]));
}

function keyed(keys: DerivedKeys, thing: readonly string[]): string {
  return derive(keys, 'counted attempt', `console ${JSON.stringify(thing)}`);
}
