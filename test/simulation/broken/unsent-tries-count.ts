import * as right from '../../../relay/webhooks/commit.ts';

export * from '../../../relay/webhooks/commit.ts';

/** Wrong: a try of which nothing was sent still counts against the limits. */
export const commitOrder: typeof right.commitOrder = (context, before, decision, { uncounted: _, ...more } = {}) =>
  right.commitOrder(context, before, decision, more);
