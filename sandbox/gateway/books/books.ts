import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/ids.ts';
import type { Notify } from '../notifications/notices.ts';
import { Contracts } from './contracts.ts';
import { notifyPayment } from './payment-notice.ts';
import { Payments } from './payments.ts';
import { Payouts } from './payouts.ts';
import { Refunds } from './refunds.ts';

/** Everything that the gateway remembers. */
export type Books = { payments: Payments; refunds: Refunds; contracts: Contracts; payouts: Payouts };

/** Empty books, which tell of their payments and charge their contracts as the clock goes. */
export function openBooks({ clock, random, notify }: { clock: Clock; random: Random; notify: Notify }): Books {
  const payments = new Payments((payment) => notifyPayment(notify, payment));
  return {
    payments,
    refunds: new Refunds(),
    contracts: new Contracts({ payments, clock, random }),
    payouts: new Payouts(),
  };
}
