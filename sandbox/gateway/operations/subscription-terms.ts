import { type DateForm, parseDate } from '../../../shared/gateway/dates.ts';
import type { DirectPaymentRequest } from '../../../shared/gateway/direct-payment.ts';
import { type Interval, unitOf } from '../base/period.ts';
import { InvalidInput } from '../base/refusals.ts';
import type { Terms } from '../books/contract.ts';

type Subscription = NonNullable<DirectPaymentRequest['subscription']>;

const dateForms: readonly DateForm[] = ['YYYY-MM-DD', 'YYYY-MM-DD HH:MM:SS', 'YYYYMMDDHHMMSS', 'DD-MM-YYYY'];
const MAX_INTERVALS = 999;
const LAST_MOMENT_OF_DAY = 24 * 60 * 60 * 1000 - 1;

/**
 * Reads a subscription's terms (§2.1), which the spec does not explain, so: `interval` is a word for day, week, month or
 * year, and any other word makes a contract that is never charged by itself; `interval_count` is 1 if left out;
 * `billing_cycle` counts every charge, the first payment too, and 0 is no limit; the first `promotion_cycle` charges cost
 * what the first payment costs, the later ones `contract_amount`; periods begin at `contract_start`, or now if that is over
 * or left out; nothing is charged after `contract_end`, whose whole day counts. Throws InvalidInput.
 */
export function termsOf(subscription: Subscription, amount: string, now: Date): Terms {
  const { billing_cycle = 0, promotion_cycle = 0, contract_amount, contract_start, contract_end } = subscription;
  if (billing_cycle < 0) throw new InvalidInput('subscription.billing_cycle: must not be negative');
  if (promotion_cycle < 0) throw new InvalidInput('subscription.promotion_cycle: must not be negative');
  const given = contract_start ? dateOf('contract_start', contract_start).from : undefined;
  const endsAt = contract_end ? dateOf('contract_end', contract_end).to : undefined;
  if (given && endsAt && endsAt < given) {
    throw new InvalidInput('subscription.contract_end: must not be before contract_start');
  }
  const start = given ?? now;
  const interval = intervalOf(subscription);
  return {
    ...(interval && { interval }),
    startsAt: start > now ? start : now,
    ...(endsAt && { endsAt }),
    ...(billing_cycle > 0 && { cycles: billing_cycle }),
    promotionCycles: promotion_cycle,
    amount: contract_amount ?? amount,
  };
}

function intervalOf({ interval, interval_count = '1' }: Subscription): Interval | undefined {
  const count = /^\d{1,3}$/.test(interval_count || '1') ? Number(interval_count || '1') : 0;
  if (count < 1)
    throw new InvalidInput(`subscription.interval_count: must be a whole number from 1 to ${MAX_INTERVALS}`);
  const unit = unitOf(interval ?? '');
  return unit && { unit, count };
}

/** The moment that a text names, or the first and the last one of the day. */
function dateOf(field: string, text: string): { from: Date; to: Date } {
  for (const form of dateForms) {
    const date = parseDate(form, text);
    if (!date) continue;
    const { year, month, day, hour, minute, second } = date;
    const from = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
    return { from, to: form.includes('HH') ? from : new Date(from.getTime() + LAST_MOMENT_OF_DAY) };
  }
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) throw new InvalidInput(`subscription.${field}: must be a date`);
  return { from: moment, to: moment };
}
