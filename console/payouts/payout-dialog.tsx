import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Payout } from '../api/api.ts';
import { useApp } from '../app/app.tsx';
import { endingOf } from '../intent/action.ts';
import { AmountRules, useAmountRules } from '../intent/amount-rules.tsx';
import { IntentForm, useSecondAmount } from '../intent/intent-form.tsx';
import { useIntent } from '../intent/use-intent.ts';
import { fill, type Words } from '../locales/words.ts';
import { Dialog, Field } from '../parts/dialog.tsx';
import { payeeOf, payoutSum } from '../parts/operation.tsx';
import { Fault } from '../parts/state.tsx';
import { isolated, money } from '../parts/text.tsx';
import { Choice, PayoutFields } from './payout-fields.tsx';
import { amountIn, emptyForm, type FieldName, kinds, payoutFields, payoutOf, sides } from './payout-form.ts';

/** The subject of the dialog's intent. There is one payout at a time. */
export const payoutSubject: readonly string[] = ['payout'];

/**
 * Sends a payout. The intent's key is the payout's request_id: a retry from the dialog is never a second payout, and a corrected
 * payout after a refusal gets a new id.
 */
export function PayoutDialog({ onPaid, onClose }: { onPaid: () => void; onClose: () => void }) {
  const { api, words, locale } = useApp();
  const { payouts: names } = words;
  const { intent, earlier, submit } = useIntent<Payout>(payoutSubject);
  const [form, setForm] = useState(emptyForm);
  const [isChecked, setChecked] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  const { phase } = intent;
  const isLocked = phase.step !== 'writing';
  const { payout, faults } = payoutOf(form, earlier?.request_id ?? intent.key, words, locale);
  const amount = amountIn(form, locale);
  const rules = useAmountRules('payout', amount, form.currency, !isLocked);
  const second = useSecondAmount(rules.fault === undefined ? amount : undefined, form.currency, !isLocked);
  useLayoutEffect(() => {
    element.current?.querySelector<HTMLElement>('input:not([type=radio])')?.focus();
  }, []);

  const faultOf = (name: FieldName | 'amount' | 'currency'): string | undefined =>
    isChecked && !isLocked ? faults[name] : undefined;
  const set = (name: FieldName, value: string): void => setForm({ ...form, values: { ...form.values, [name]: value } });
  const hasFaults = Object.keys(faults).length > 0;
  const send = () => {
    setChecked(true);
    if (!isLocked && (hasFaults || second.isMissing || rules.fault)) return undefined;
    return submit(payout, async (body, key) => endingOf(api, await api.payOut(body, key))).then(onPaid);
  };

  const group = { form, id, isLocked, faultOf, onInput: set };
  return (
    <Dialog title={names.pay_out} onClose={onClose}>
      <IntentForm
        phase={phase}
        done={
          phase.step === 'done' && phase.message !== undefined
            ? fill(names.taken, { status: isolated(phase.message) })
            : names.done
        }
        action={rules.isHeld ? words.approvals.ask : names.pay_out}
        unknown={names.unknown}
        declined={declinedText(names.declined, phase.step === 'done' ? phase.message : undefined)}
        onSend={send}
        box={element}
        class="fields payout-form"
      >
        {/* A payout that was sent before this page was loaded shows only its sentence. */}
        {earlier === undefined && (
          <>
            <div class="pair sum">
              <Field
                label={words.orders.amount}
                id={`${id}-amount`}
                value={form.amount}
                onInput={(value) => setForm({ ...form, amount: value })}
                isLocked={isLocked}
                inputMode="decimal"
                fault={faultOf('amount')}
              />
              <Field
                label={words.filters.currency}
                id={`${id}-currency`}
                value={form.currency}
                onInput={(value) => setForm({ ...form, currency: value.toUpperCase().slice(0, 3) })}
                isLocked={isLocked}
                placeholder="USD"
                fault={faultOf('currency')}
              />
            </div>
            <Choice
              legend={names.side}
              names={names.sides}
              values={sides}
              value={form.side}
              isLocked={isLocked}
              onChange={(side) => setForm({ ...form, side })}
            />
            <Choice
              legend={names.payee}
              names={names.kinds}
              values={kinds}
              value={form.kind}
              isLocked={isLocked}
              onChange={(kind) => setForm({ ...form, kind })}
            />
            <PayoutFields {...group} fields={payoutFields.payee} />
            <PayoutFields {...group} fields={payoutFields.account} title={names.account_group} />
            <PayoutFields {...group} fields={payoutFields.why} />
            <PayoutFields {...group} fields={payoutFields.bank} title={names.bank_group} isFolded />
            <PayoutFields {...group} fields={payoutFields.address} title={names.address_group} isFolded />
            <PayoutFields {...group} fields={payoutFields.more} title={names.more_group} isFolded />
          </>
        )}
        <p class="sentence" aria-live="polite">
          {sentenceOf(words, locale, earlier ?? payout) ?? words.nothing}
        </p>
        <AmountRules rules={rules} />
        {second.field(`${id}-confirm`, isChecked)}
        <Fault text={isChecked && !isLocked && hasFaults ? names.correct : undefined} />
      </IntentForm>
    </Dialog>
  );
}

/** The sentence to read before money moves; undefined while the form is incomplete. */
function sentenceOf(words: Words, locale: string, payout: Payout): string | undefined {
  const sum = payoutSum(payout);
  const payee = payeeOf(words, payout);
  if (!sum || sum.currency.length < 3 || payee === undefined) return undefined;
  const { sentence, source_sentence } = words.payouts;
  const amount = money(locale, sum.currency, sum.amount);
  return fill(payout.payment_amount === undefined ? source_sentence : sentence, { amount, payee });
}

function declinedText(declined: string, why: string | undefined): string {
  return why === undefined ? declined : `${declined} ${isolated(why)}`;
}
