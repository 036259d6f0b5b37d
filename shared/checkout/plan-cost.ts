import type { InstallmentOption } from './session.ts';

/** What an installment plan costs against the order's amount. Amounts are decimal strings of at most two decimals. */
export type PlanCost = {
  /** What is paid in all, as the shop says it. */
  total?: string;
  /** How much more than the amount that is, if it is more. */
  extra?: string;
  /** Several payments that come to no more than the amount: what their rounding adds is no interest. */
  free: boolean;
  /** No plan costs less, and some plan is known to cost more. */
  cheapest: boolean;
};

/**
 * Tells of each plan what it costs. `decimals` are those of the currency: a payment's share is rounded to them. Where the shop
 * tells no total, whether a plan is free of interest is seen by its payments.
 */
export function planCosts(amount: string, plans: readonly InstallmentOption[], decimals = 2): PlanCost[] {
  const price = hundredths(amount);
  const totals = plans.map(({ total }) => hundredths(total));
  const known = totals.filter((total) => total !== undefined).sort((left, right) => (left < right ? -1 : 1));
  const [lowest] = known;
  const differ = lowest !== known.at(-1);
  return plans.map((plan, index) => {
    const total = totals[index];
    const extra = total !== undefined && price !== undefined && total > price ? total - price : undefined;
    return {
      ...(total !== undefined && { total: decimal(total) }),
      ...(extra !== undefined && { extra: decimal(extra) }),
      free: isFree(plan, price, total, decimals),
      cheapest: differ && total === lowest,
    };
  });
}

function isFree(
  { installments, each }: InstallmentOption,
  price: bigint | undefined,
  total: bigint | undefined,
  decimals: number,
): boolean {
  const count = /^\d{1,4}$/.test(installments) ? BigInt(installments) : 1n;
  if (count < 2n || price === undefined) return false;
  if (total !== undefined) return total <= price;
  const part = hundredths(each);
  const unit = decimals < 2 ? 10n ** BigInt(2 - decimals) : 1n;
  return part !== undefined && part * count - price < count * unit;
}

function hundredths(amount = ''): bigint | undefined {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  return whole === undefined ? undefined : BigInt(whole + part.padEnd(2, '0'));
}

function decimal(amount: bigint): string {
  return String(amount).padStart(3, '0').replace(/(..)$/, '.$1');
}
