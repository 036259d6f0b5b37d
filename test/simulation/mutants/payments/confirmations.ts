import * as right from '../../../../relay/payments/settlement/confirmation.ts';

type Follow = typeof right.followPayments;

/** Wrong: each query reports an order as ready. */
const again: Follow = (before, ...more) => {
  const decision = right.followPayments(before, ...more);
  const payments = decision.order.payments.map((one) =>
    one.ready === 'sent' ? { ...one, ready: 'due' as const } : one,
  );
  return { ...decision, order: { ...decision.order, payments } };
};

/** Wrong: a payment that is held is ready. */
const held: Follow = (before, shown, now, rules) => {
  const { approved, held: codes, ...others } = rules.codes;
  return right.followPayments(before, shown, now, {
    ...rules,
    codes: { ...others, approved: [...approved, ...codes], held: [] },
  });
};

/** Wrong: a chargeback does not change the payment. */
const reversed: Follow = (before, shown, now, rules) =>
  right.followPayments(before, shown, now, { ...rules, codes: { ...rules.codes, charged_back: [] } });

/** Wrong: the relay waits without end for a record that never appears. */
const awaited: Follow = (before, shown, now, rules) =>
  right.followPayments(before, shown, now, { ...rules, resolve: { ...rules.resolve, absent_ms: Number.MAX_VALUE } });

const faults: Readonly<Record<string, Follow>> = {
  '?again': again,
  '?held': held,
  '?reversed': reversed,
  '?awaited': awaited,
};

/** One of these, by the query of this file's address. */
export const followPayments: Follow = faults[new URL(import.meta.url).search] ?? right.followPayments;
