import { currencyDigits } from '../../../shared/checkout/money/money.ts';
import { planCosts } from '../../../shared/checkout/money/plan-cost.ts';
import type { InstallmentOption } from '../../../shared/checkout/session.ts';
import { inOneSentence } from '../../locales/together.ts';
import { Choice } from '../details/controls/choice.tsx';
import type { CheckoutModel } from '../model.ts';
import { Field } from '../view/field.tsx';
import { Radios } from '../view/radios.tsx';

/** More plans than these are a list to open. */
const MAX_RADIOS = 6;

/** A plan in words, and whether it is one payment of the order's amount. */
type Plan = { name: string; cost: string; mark: string; isPlain: boolean };

/** How many installments to pay in. The value is the option's place in the list: options may share a count. */
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

/** The chosen plan next to the button, which tells the order's amount alone. */
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
    // Where all that is free of interest costs the same, to call it the cheapest too would tell nothing.
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
