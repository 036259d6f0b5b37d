import type { InstallmentOption } from '../session.ts';

/** What an installment plan costs against the order's amount. Amounts are decimal strings of at most four decimals. */
type PlanCost = {
  /** What is paid in all, as the shop says it, or else what the payments come to. */
  total?: string;
  /** How much more than the amount that is, if it is more. */
  extra?: string;
  /** Several payments that come to no more than the amount: what their rounding adds is no interest. */
  free: boolean;
  /** No plan costs less, and some plan is known to cost more. */
  cheapest: boolean;
  /** It costs less than the amount. */
  saves: boolean;
};

/**
 * Tells of each plan what it costs. `decimals` are those of the currency: a payment's share is rounded to them. Where the shop
 * tells no total, the payments tell; what their rounding adds to the amount is not counted.
 */
export function planCosts(amount: string, plans: readonly InstallmentOption[], decimals = 2): PlanCost[] {
  const price = tenThousandths(amount);
  const totals = plans.map((plan) => totalOf(plan, price, decimals));
  const known = totals.filter((total) => total !== undefined).sort((left, right) => (left < right ? -1 : 1));
  const [lowest] = known;
  const differ = lowest !== known.at(-1);
  return plans.map((plan, index) => {
    const total = totals[index];
    const extra = total !== undefined && price !== undefined && total > price ? total - price : undefined;
    return {
      ...(total !== undefined && { total: decimal(total) }),
      ...(extra !== undefined && { extra: decimal(extra) }),
      free: countOf(plan) > 1n && total !== undefined && price !== undefined && total <= price,
      cheapest: differ && total === lowest,
      saves: total !== undefined && price !== undefined && total < price,
    };
  });
}

/** What is paid in all. Payments that only round the amount's parts come to the amount. */
function totalOf(plan: InstallmentOption, price: bigint | undefined, decimals: number): bigint | undefined {
  const part = tenThousandths(plan.each);
  if (plan.total !== undefined || part === undefined || !isCount(plan)) return tenThousandths(plan.total);
  const count = countOf(plan);
  const unit = 10n ** BigInt(Math.max(4 - decimals, 0));
  const sum = part * count;
  const isRounded = price !== undefined && sum - price < count * unit && price - sum < count * unit;
  return isRounded ? price : sum;
}

function isCount({ installments }: InstallmentOption): boolean {
  return /^\d{1,4}$/.test(installments);
}

function countOf(plan: InstallmentOption): bigint {
  return isCount(plan) ? BigInt(plan.installments) : 1n;
}

function tenThousandths(amount = ''): bigint | undefined {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d{1,4}))?$/.exec(amount) ?? [];
  return whole === undefined ? undefined : BigInt(whole + part.padEnd(4, '0'));
}

function decimal(amount: bigint): string {
  return String(amount)
    .padStart(5, '0')
    .replace(/(..)(..)$/, '.$1$2')
    .replace(/0{1,2}$/, '');
}
