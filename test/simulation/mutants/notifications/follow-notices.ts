import { isPaid } from '../../../../relay/payments/order.ts';
import * as right from '../../../../relay/payments/settlement/notifications.ts';
import { withOrder } from '../../../../relay/payments/transitions.ts';

export * from '../../../../relay/payments/settlement/notifications.ts';

type Follow = typeof right.followNotifications;

/** Wrong: a notification causes only one query. */
const once: Follow = (before, decision, { notices }) =>
  withOrder(decision, { noticed: Math.max(before.noticed, notices) });

/** Wrong: a paid order is queried as often as an unpaid one. */
const paid: Follow = (before, decision, query) => right.followNotifications(before, decision, query, []);

/** Wrong: ended attempts of a paid order are not watched. */
const unwatched: Follow = (before, decision, ...rest) => {
  const followed = right.followNotifications(before, decision, ...rest);
  return isPaid(decision.order) ? withOrder(followed, { attempts: decision.order.attempts }) : followed;
};

const wrongs: Readonly<Record<string, Follow>> = { '?once': once, '?paid': paid, '?unwatched': unwatched };

/** One of them, by the query of this file's address. */
export const followNotifications: Follow = wrongs[new URL(import.meta.url).search] ?? once;
