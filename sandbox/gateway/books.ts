import type { Clock } from './clock.ts';
import { Contracts } from './contracts.ts';
import type { Random } from './ids.ts';
import type { Notify } from './notices.ts';
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
