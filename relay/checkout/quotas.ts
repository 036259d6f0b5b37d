import { derive } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import { network } from '../http/limits.ts';
import type { LimitName, Quota } from '../payments/attempt.ts';
import type { Context } from '../store/context.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Who pays with what, as far as attempts are counted by it. A `shopper_ip` that is no address counts as one that all such
 * shoppers share; where it is left out, nobody said it.
 */
type Payer = { card?: string | undefined; token_id?: string | undefined; shopper_ip?: string | undefined };

/**
 * The quotas of one attempt to pay (`limits`): by shopper's address, by card or saved card, by account. Stolen
 * cards are tried out where that costs nothing. The store sees keyed hashes of addresses and cards alone.
 */
export function quotasOf({ config }: Context, account: Account, { card, token_id, shopper_ip }: Payer): Quota[] {
  const { limits } = config;
  const keyed = (name: LimitName, thing: string): string =>
    derive(account.derivedKeys, 'counted attempt', `${account.id} ${name} ${thing}`);
  const quotas: Quota[] = [];
  if (shopper_ip !== undefined) {
    const key = keyed('ip', network(shopper_ip));
    quotas.push({ name: 'ip', key, most: limits.attempts_per_ip_per_hour, window_ms: HOUR_MS });
  }
  const paidWith = card ?? token_id;
  if (paidWith) {
    const key = keyed('card', paidWith);
    quotas.push({ name: 'card', key, most: limits.attempts_per_card_per_hour, window_ms: HOUR_MS });
  }
  const most = limits.attempts_per_account_per_minute;
  quotas.push({ name: 'account', key: `${account.id} account`, most, window_ms: MINUTE_MS });
  return quotas;
}
