import { currencyDigits } from '../../../shared/checkout/money/money.ts';
import type { InstallmentOption } from '../../../shared/checkout/session.ts';
import { inOneSentence } from '../../locales/together.ts';
import { Choice } from '../details/controls/choice.tsx';
import type { CheckoutModel } from '../model.ts';
import { Field } from '../view/field.tsx';
import { Radios } from '../view/radios.tsx';

/** The maximum number of plans as radios; more plans are a select. */
const MAX_RADIOS = 6;

/** A plan in words, and whether it is a single payment of the order's amount. */
type Plan = { name: string; cost: string; mark: string; isPlain: boolean };

/** The number of installments. The value is the index of the option, because options may have the same count. */
export function Installments({ checkout }: { checkout: CheckoutModel }) {
  const { t, state, boot } = checkout;
  const plans = plansOf(checkout);
  if (!plans.length) return null;
  if (plans.length > MAX_RADIOS) {
    const options = plans.map((plan, index) => ({ code: String(index), name: inOneLine(boot.lang, plan) }));
    return (
      <Field checkout={checkout} name="installments" label={t('installments')}>
        <Choice
          checkout={checkout}
          name="installments"
          autocomplete="off"
          value={state.values.installments ?? '0'}
          options={options}
        />
      </Field>
    );
  }
  return (
    <Radios
      name="installments"
      legend={t('installments')}
      value={state.values.installments ?? '0'}
      options={plans.map(({ name, cost, mark }, index) => ({
        value: String(index),
        label: name,
        detail: (cost || mark) && (
          <small>
            {cost && <span>{cost}</span>}
            {mark && <b>{mark}</b>}
          </small>
        ),
      }))}
      onChoose={(place) => checkout.type('installments', place)}
    />
  );
}

/** The chosen plan next to the button, which shows only the order's amount. */
export function ChosenPlan({ checkout }: { checkout: CheckoutModel }) {
  const { installments = '0' } = checkout.state.values;
  const plan = plansOf(checkout)[Number(installments)];
  return plan && !plan.isPlain ? <p class="plan">{inOneLine(checkout.boot.lang, { ...plan, mark: '' })}</p> : null;
}

function inOneLine(lang: string, { name, cost, mark }: Omit<Plan, 'isPlain'>): string {
  return inOneSentence(lang, [name, cost, mark]);
}

function plansOf(checkout: CheckoutModel): Plan[] {
  const { t, state, boot } = checkout;
  const { installment_options, amount, currency } = state.view;
  const costs = planCosts(amount, installment_options, currencyDigits(currency));
  return installment_options.map((option, index) => {
    const { total, extra, free, cheapest, saves } = costs[index] ?? {};
    // If all plans without interest cost the same, calling one of them the cheapest would be meaningless.
    const marks = [free && t('installments_free'), cheapest && (!free || saves) && t('installments_cheapest')];
    const cost = [
      total && t('installments_total', { total: checkout.money(total) }),
      extra && t('installments_extra', { extra: checkout.money(extra) }),
    ];
    return {
      name: nameOf(checkout, option),
      cost: inOneSentence(boot.lang, cost),
      isPlain: option.installments === '1' && !extra,
      mark: inOneSentence(boot.lang, marks),
    };
  });
}

function nameOf(checkout: CheckoutModel, { installments, each }: InstallmentOption): string {
  const { t, boot } = checkout;
  const count = /^\d{1,4}$/.test(installments)
    ? new Intl.NumberFormat(boot.locale).format(Number(installments))
    : installments;
  return each ? t('installments_each', { count, each: checkout.money(each) }) : t('installments_plain', { count });
}

/**
 * The cost of an installment plan compared with the order's amount. Amounts are decimal strings with at most four
 * decimals.
 */
type PlanCost = {
  /** The total, as the shop states it, otherwise the sum of the payments. */
  total?: string;
  /** The difference to the amount, if the total is greater. */
  extra?: string;
  /** Several payments whose total is not more than the amount: a difference by their rounding is no interest. */
  free: boolean;
  /** No plan costs less, and some plan is known to cost more. */
  cheapest: boolean;
  /** It costs less than the amount. */
  saves: boolean;
};

/**
 * The cost of each plan. `decimals` are those of the currency, to which each payment is rounded. Without a total from
 * the shop, it is the sum of the payments, without the difference that their rounding adds to the amount.
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

/** The total. Payments that are the amount's rounded parts have the amount as their total. */
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
