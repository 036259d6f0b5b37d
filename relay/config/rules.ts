import type { Rules } from '../payments/order.ts';
import type { Config } from './load.ts';

/** What the rules of payments depend on, of the configuration. */
export function rulesOf({ gateway, limits, resolve }: Pick<Config, 'gateway' | 'limits' | 'resolve'>): Rules {
  const { codes, gateway_time_zone } = gateway.profile;
  return {
    codes: codes.payment_status,
    timeZone: gateway_time_zone,
    attemptsPerSession: limits.attempts_per_session,
    resolve,
  };
}
