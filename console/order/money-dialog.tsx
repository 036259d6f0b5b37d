import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MoneyAction, MoneyItem } from '../api/api.ts';
import { useApp } from '../app/app.tsx';
import { endingOf } from '../intent/action.ts';
import { AmountRules, useAmountRules } from '../intent/amount-rules.tsx';
import { ExtraField } from '../intent/extra-field.tsx';
import { IntentForm, useSecondAmount } from '../intent/intent-form.tsx';
import {
  amountOf,
  checkUnchanged,
  faultOf,
  itemOf,
  maxOf,
  meanwhileOf,
  type Payment,
  paymentIn,
} from '../intent/money-action.ts';
import { useIntent } from '../intent/use-intent.ts';
import { fill } from '../locales/words.ts';
import { isNothing, readAmount, typedAmount } from '../parts/amount.ts';
import { CloseButton, Field, ReadDialog } from '../parts/dialog.tsx';
import { isolated, money, Sentence } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';

type Props = { action: MoneyAction; orderNo: string; transactionId: string; onMoved: () => void; onClose: () => void };

/** Refunds, captures, cancels or reviews one payment. It reads the order when it opens, because another person may have changed it. */
export function MoneyDialog(props: Props) {
  const { api, words } = useApp();
  const { action, orderNo, transactionId, onClose } = props;
  const reading = useAnswer(
    `dialog ${orderNo}`,
    () => api.order(orderNo),
    (change) => change.order_no === undefined || change.order_no === orderNo,
  );
  return (
    <ReadDialog
      title={fill(words.dialog.titles[action], { order: isolated(orderNo) })}
      reading={reading}
      answer={reading.answer && paymentIn(reading.answer, action, transactionId)}
      onClose={onClose}
    >
      {(payment) => <MoneyForm {...props} payment={payment} />}
    </ReadDialog>
  );
}

function MoneyForm({ action, orderNo, payment, onMoved }: Props & { payment: Payment }) {
  const { api, words, locale } = useApp();
  const { intent, earlier, submit } = useIntent<MoneyItem>([action, orderNo, payment.transaction_id]);
  const max = maxOf(action, payment);
  // The default is the whole amount.
  const [typed = typedAmount(max, locale), setTyped] = useState(earlier && typedAmount(amountOf(earlier), locale));
  const [extra, setExtra] = useState(earlier?.refund_reason ?? earlier?.review_flag ?? '');
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const isWriting = intent.phase.step === 'writing';
  const [opened] = useState(payment);
  useLayoutEffect(() => {
    // The fields exist only once the order was read.
    form.current?.querySelector('input')?.select();
  }, []);

  const shown = (amount: string): string => money(locale, payment.currency, amount);
  const isPart = action === 'refund' || action === 'capture';
  const part = isPart ? readAmount(typed, locale, payment.currency) : payment.amount;
  const amountFault = isPart && isWriting ? faultOf(words, part, max, typedAmount('20.00', locale), shown) : undefined;
  const extraFault = action === 'review' && isWriting && extra.trim() === '' ? words.dialog.required : undefined;
  const rules = useAmountRules(action, part, payment.currency, isWriting);
  const second = useSecondAmount(rules.fault === undefined ? part : undefined, payment.currency, isWriting);

  const send = () => {
    setChecked(true);
    if (amountFault || extraFault || rules.fault || second.isMissing || part === undefined) return undefined;
    return submit(itemOf(action, orderNo, payment, part, extra.trim()), async (item, key) => {
      // The earlier try of this request may have changed the order.
      if (isWriting) await checkUnchanged(api, action, item, words, (now) => meanwhileOf(words, payment, now, shown));
      return endingOf(api, await api.move(action, item, key));
    }).then(onMoved);
  };

  const unknown = payment.refund_undecided;
  const meanwhile = isWriting ? meanwhileOf(words, opened, payment, shown) : undefined;
  const notice = meanwhile !== undefined && (
    <p class="notice open" role="status">
      {meanwhile}
    </p>
  );
  if (isPart && isNothing(max) && isWriting) {
    return (
      <>
        {notice}
        <p class="dialog-text">{words.dialog.nothing_left[action]}</p>
        <CloseButton />
      </>
    );
  }
  return (
    <IntentForm
      phase={intent.phase}
      done={words.dialog.done[action]}
      action={rules.isHeld ? words.approvals.ask : words.order[action]}
      onSend={send}
      box={form}
    >
      {notice}
      {isWriting && !isNothing(unknown) && (
        <p class="notice open">{fill(words.dialog.refund_not_known, { amount: shown(unknown) })}</p>
      )}
      {isPart && (
        <Field
          label={words.orders.amount}
          id={`${id}-amount`}
          value={typed}
          onInput={setTyped}
          isLocked={!isWriting}
          inputMode="decimal"
          fault={isChecked ? amountFault : undefined}
          hint={fill(words.dialog.all, { amount: shown(max) })}
        />
      )}
      <ExtraField
        {...{ action, id }}
        value={extra}
        onInput={setExtra}
        isLocked={!isWriting}
        fault={isChecked ? extraFault : undefined}
      />
      <p class="sentence" aria-live="polite">
        {part !== undefined && amountFault === undefined && extraFault === undefined ? (
          <Sentence
            text={fill(words.dialog.sentences[action], {
              part: shown(part),
              whole: shown(payment.amount),
              order: isolated(orderNo),
              flag: isolated(extra.trim()),
            })}
          />
        ) : (
          words.nothing
        )}
      </p>
      {amountFault === undefined && <AmountRules rules={rules} />}
      {amountFault === undefined && second.field(`${id}-confirm`, isChecked)}
    </IntentForm>
  );
}
