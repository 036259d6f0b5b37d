import { derive } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { network } from '../http/limits.ts';
import type { LimitName, Quota } from '../payments/attempt.ts';
import type { PaymentMeans } from './send-attempt.ts';

/** The card or saved card of a payment, by which its attempts are counted. */
export function paidWith({ card, token_id }: PaymentMeans): { card?: string; token_id?: string } {
  return { ...(card === undefined ? {} : { card }), ...(token_id === undefined ? {} : { token_id }) };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The values by which attempts are counted. All invalid texts of `shopper_ip` share one count; without the field no address is counted. */
type CountedBy = { card?: string | undefined; token_id?: string | undefined; shopper_ip?: string | undefined };

/**
 * The quotas of an attempt (`limits`): by the shopper's address, by card or saved card, and by account. They impede the
 * testing of stolen cards. The store gets only keyed hashes of addresses and cards.
 */
export function quotasOf({ config }: Context, account: Account, { card, token_id, shopper_ip }: CountedBy): Quota[] {
  const { limits } = config;
  const keyed = (name: LimitName, value: string): string =>
    derive(account.derivedKeys, 'counted attempt', `${account.id} ${name} ${value}`);
  const quotas: Quota[] = [];
  if (shopper_ip !== undefined) {
    const key = keyed('ip', network(shopper_ip));
    quotas.push({ name: 'ip', key, max: limits.attempts_per_ip_per_hour, window_ms: HOUR_MS });
  }
  const cardOrToken = card ?? token_id;
  if (cardOrToken) {
    const key = keyed('card', cardOrToken);
    quotas.push({ name: 'card', key, max: limits.attempts_per_card_per_hour, window_ms: HOUR_MS });
  }
  const max = limits.attempts_per_account_per_minute;
  quotas.push({ name: 'account', key: `${account.id} account`, max, window_ms: MINUTE_MS });
  return quotas;
}
