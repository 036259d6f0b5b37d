import type { PaymentRules } from '../payments/order.ts';
import type { Config } from './load.ts';

/** The time after the gateway's time limit at which unfinished work counts as orphaned. */
const ORPHAN_GRACE_MS = 5000;

type Configured = Pick<Config, 'gateway' | 'limits' | 'resolve' | 'retention_days'>;

/** The settings on which the rules of payments depend. */
export function rulesOf({ gateway, limits, resolve, retention_days }: Configured): PaymentRules {
  const { codes, capture, authorisation_days, gateway_time_zone, return_ms } = gateway.profile;
  return {
    codes: codes.payment_status,
    fraudRejected: codes.fraud_check.rejected,
    rejects: codes.review_flag.reject,
    capture,
    authorisationDays: authorisation_days,
    timeZone: gateway_time_zone,
    orphanedMs: gateway.timeout_ms + ORPHAN_GRACE_MS,
    attemptsPerSession: limits.attempts_per_session,
    // A later query would delay the deletion of the order.
    resolve: { ...resolve, paid_days: resolve.paid_days.filter((days) => days < retention_days) },
    returnMs: return_ms,
  };
}
