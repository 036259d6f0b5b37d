import { defaultPaymentPlan, type PaymentPlan } from '../../plans.ts';
import type { Step } from '../../steps.ts';
import { RETURN_MS } from '../../world/config.ts';
import { randomOf } from '../../world/random.ts';
import { HOUR, MINUTE, SECOND } from '../message-plans.ts';

/** One history in this many has late pending bookings. */
const ONE_IN = 4;

/**
 * Adds a payment at the issuer's page that the gateway books as pending after `return_ms`. The shopper pays another way or abandons the
 * first payment. It is mostly at the end of a history.
 */
export function withLatePendingBookings(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'booked late');
  if (draw() >= 1 / ONE_IN) return [...steps];
  const at = draw() < 0.7 ? steps.length : draw.between(1, steps.length);
  const latest = { order: 0, session: 0 } as const;
  const method = draw() < 0.6 ? 'apm' : 'card';
  const back = draw.between(SECOND, 20 * SECOND);
  const bookedAfter = back + RETURN_MS + draw.between(4 * SECOND, MINUTE);
  const end = draw();
  const book: PaymentPlan['book'] =
    end < 0.6 ? [{ after: draw.between(MINUTE, 2 * HOUR), status: end < 0.4 ? 'approved' : 'declined' }] : [];
  const isUnlisted = draw() < 0.2;
  const tries: PaymentPlan['tries'] = [
    { after: bookedAfter, status: isUnlisted ? 'unlisted' : 'pending', same: false },
  ];
  const isNotified = draw() < 0.3;
  const away: PaymentPlan = {
    ...defaultPaymentPlan,
    says: 'redirect',
    book,
    tries,
    notices: isNotified ? defaultPaymentPlan.notices : [],
  };
  const paid: PaymentPlan = { ...defaultPaymentPlan, says: 'approved', book: [{ after: 0, status: 'approved' }] };
  const press: Step = {
    ...{ ...latest, do: 'press pay', method: 'card', presses: 1, gap: 0, hangsUp: false },
    ...{ after: draw.between(100, 5 * MINUTE), fate: paid },
  };
  const givesUp = draw() < 0.3;
  const asked: Step[] = [
    { do: 'buy', order: 0, amount: 0, presses: 1, gap: 0, after: SECOND, method, fate: away },
    { ...latest, do: 'say returned', after: back },
    ...(draw() < 0.3 ? [{ ...latest, do: 'view session', after: RETURN_MS + 3 * SECOND } satisfies Step] : []),
    { do: 'wait', after: bookedAfter - back + SECOND },
    ...(givesUp ? [{ ...latest, do: 'abandon', after: draw.between(SECOND, MINUTE) } satisfies Step] : []),
    press,
    { ...latest, do: 'view session', after: draw.between(SECOND, HOUR) },
  ];
  return steps.toSpliced(at, 0, ...asked);
}
