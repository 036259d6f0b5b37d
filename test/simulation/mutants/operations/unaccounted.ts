import * as right from '../../../../relay/payments/ledger/accounting.ts';
import type { PaymentOperation } from '../../../../relay/payments/ledger/payment-operation.ts';

export * from '../../../../relay/payments/ledger/accounting.ts';

const how = new URL(import.meta.url).search;

const forgotten: Record<string, (one: PaymentOperation) => boolean> = {
  '?captures': ({ name }) => name === 'capture',
  '?cancellations': ({ name }) => name === 'cancel',
  '?reviews': ({ name }) => name === 'review',
  '?undecided': ({ outcome }) => outcome === 'unknown',
  '?refused': ({ refused_at }) => refused_at !== undefined,
};

/**
 * Wrong: the check of an operation ignores some earlier operations on its payment: `?captures`, `?cancellations`, `?reviews`,
 * `?undecided` ones, `?refused` ones, or undecided `?refunds`.
 */
export const refusalOf: typeof right.refusalOf = (items, paymentOf) =>
  right.refusalOf(items, (id) => {
    const { undecidedRefunds, ...others } = paymentOf(id);
    const payment = how === '?refunds' ? others : paymentOf(id);
    return { ...payment, operations: payment.operations?.filter((one) => !forgotten[how]?.(one)) ?? [] };
  });
