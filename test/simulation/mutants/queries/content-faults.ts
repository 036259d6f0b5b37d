import * as right from '../../../../relay/reconciliation/content-fault.ts';

export * from '../../../../relay/reconciliation/content-fault.ts';

const isHalved = new URL(import.meta.url).search === '?halved';

/** Wrong: a failed query is not halved, even if only one of its orders causes the failure. */
export const failureCause: typeof right.failureCause = (...args) =>
  isHalved ? right.failureCause(...args) : 'gateway';

/** Or wrong: a query that the gateway refuses is halved though it refuses every query. */
export const hasAnsweredLately: typeof right.hasAnsweredLately = (...args) =>
  isHalved || right.hasAnsweredLately(...args);
