import * as right from '../../../relay/payments/settlement/records.ts';

export * from '../../../relay/payments/settlement/records.ts';

/** Wrong: a pending payment is one of which nothing is known. */
export const readRecords: typeof right.readRecords = (...args) =>
  right.readRecords(...args).map((one) => (one.meaning === 'pending' ? { ...one, meaning: 'unlisted' } : one));
