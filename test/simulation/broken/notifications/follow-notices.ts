import * as right from '../../../../relay/payments/settlement/follow-notices.ts';
import { withOrder } from '../../../../relay/payments/transitions.ts';

export * from '../../../../relay/payments/settlement/follow-notices.ts';

type Follow = typeof right.followNotices;

/** Wrong: one query follows a notification. */
const once: Follow = (before, decision, { notices }) =>
  withOrder(decision, { noticed: Math.max(before.noticed, notices) });

/** Wrong: a paid order is asked about as often as one that is not. */
const paid: Follow = (before, decision, query) => right.followNotices(before, decision, query, []);

/** One of the two, by the query of this file's address. */
export const followNotices: Follow = new URL(import.meta.url).search === '?once' ? once : paid;
