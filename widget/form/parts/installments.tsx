import type { InstallmentOption } from '../../../shared/checkout/session.ts';
import { Choice } from '../details/choice.tsx';
import type { CheckoutModel } from '../model.ts';
import { Field } from '../view/field.tsx';

/** How many installments to pay in. The value is the option's place in the list: options may share a count. */
export function Installments({ checkout }: { checkout: CheckoutModel }) {
  const { installment_options } = checkout.state.view;
  if (!installment_options.length) return null;
  const options = installment_options.map((option, index) => ({
    code: String(index),
    name: wordsOf(checkout, option),
  }));
  return (
    <Field checkout={checkout} name="installments" label={checkout.say('installments')}>
      <Choice checkout={checkout} name="installments" autocomplete="off" options={options} />
    </Field>
  );
}

function wordsOf(checkout: CheckoutModel, { installments: count, each, total }: InstallmentOption): string {
  const { say } = checkout;
  const words = each
    ? say('installments_each', { count, each: checkout.money(each) })
    : say('installments_plain', { count });
  return total ? `${words}, ${say('installments_total', { total: checkout.money(total) })}` : words;
}
