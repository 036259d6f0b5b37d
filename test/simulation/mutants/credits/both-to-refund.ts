import * as right from '../../../../relay/payments/settlement/credit.ts';

export * from '../../../../relay/payments/settlement/credit.ts';

type Credit = typeof right.creditRecords;

/** Wrong: each of two payments is reported as the second one of the pair. */
export const creditRecords: Credit = (before, records, now) => {
  const credited = right.creditRecords(before, records, now);
  const events = credited.decision.events.flatMap((event) => {
    const [first, second] = event.transaction_ids ?? [];
    return first && second ? [event, { ...event, transaction_ids: [second, first] as const }] : [event];
  });
  return { ...credited, decision: { ...credited.decision, events } };
};
