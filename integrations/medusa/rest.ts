import { MathBN } from '@medusajs/framework/utils';
import { type Decimal, rounded } from './money.ts';
import type { Row } from './rows.ts';

/** A successful capture or refund at the relay, and the id of the row of Medusa that it was sent for; another client sent it if there is none. */
export type Sent = { operation_id: string; amount: string; row_id?: string | undefined };

/** The captures or refunds of one payment: those that Medusa has, and those that the relay has made. */
export type Sums = {
  currency: string;
  rows: readonly Row[];
  sent: readonly Sent[];
  /** The sum of the relay that no row explains: operations whose answer was lost, so that Medusa deleted their rows. */
  surplus: Decimal;
};

/**
 * The part of a row that the relay has still to make. Each row gets the difference between two rounded sums: of the rows up to it, and
 * of those before it. The surplus goes to rows without an operation of their own in the order of their ids, so that of several calls at
 * the same time only one takes it.
 */
export function restOf(id: string, { currency, rows, sent, surplus }: Sums): Decimal {
  const zero = MathBN.convert(0);
  let exact = zero;
  let before = zero;
  let left = MathBN.max(zero, surplus);
  for (const row of rows.toSorted(byId)) {
    exact = MathBN.add(exact, row.amount);
    const share = MathBN.max(
      rounded(row.amount, currency, 'down'),
      MathBN.min(rounded(row.amount, currency, 'up'), MathBN.sub(rounded(exact, currency), before)),
    );
    const own = sumOf(sent.filter(({ row_id }) => row_id === row.id));
    const taken = MathBN.min(left, MathBN.max(zero, MathBN.sub(share, own)));
    const done = MathBN.add(own, taken);
    if (row.id === id) return MathBN.max(zero, MathBN.sub(share, done));
    left = MathBN.sub(left, taken);
    before = MathBN.add(before, MathBN.gt(own, 0) ? done : share);
  }
  return zero;
}

/**
 * The part of the relay's sum that no row of Medusa explains.
 * @param others operations of other clients that are no part of it
 */
export function surplusOf(
  total: string,
  rows: readonly Row[],
  sent: readonly Sent[],
  others: readonly Sent[],
): Decimal {
  const ids = new Set(rows.map(({ id }) => id));
  const own = sent.filter(({ row_id }) => row_id !== undefined && ids.has(row_id));
  return MathBN.sub(total, MathBN.add(sumOf(own), sumOf(others)));
}

/** The sum of operations. */
export function sumOf(sent: readonly Sent[]): Decimal {
  return sent.reduce((sum, { amount }) => MathBN.add(sum, amount), MathBN.convert(0));
}

/** The ids of Medusa's rows begin with the time. */
function byId(one: Row, other: Row): number {
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}
