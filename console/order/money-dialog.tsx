import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { Api, MoneyAction, MoneyItem } from '../api/api.ts';
import { useApp } from '../app/app.ts';
import { type Ending, isOpenEnded } from '../intent/action.ts';
import { PhaseView } from '../intent/phase-view.tsx';
import { useIntent } from '../intent/use-intent.ts';
import type { Words } from '../locales/en.ts';
import { compareAmounts, isNothing, readAmount, typedAmount } from '../parts/amount.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Waiting } from '../parts/state.tsx';
import { isolated, money } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';

type Payment = OrderWithTimeline['payments'][number];
type Props = { action: MoneyAction; orderNo: string; payment: Payment; onClose: () => void };

/** Refund, capture, cancel or review of one payment. It reads the order again as it opens: somebody else may have been here. */
export function MoneyDialog(props: Props) {
  const { api, words } = useApp();
  const { action, orderNo, payment, onClose } = props;
  const reading = useAnswer(
    `dialog ${orderNo}`,
    () => api.order(orderNo),
    (change) => change.order_no === undefined || change.order_no === orderNo,
  );
  const [isBusy, setBusy] = useState(false);
  const current = reading.answer?.payments.find(({ transaction_id }) => transaction_id === payment.transaction_id);
  return (
    <Dialog title={titleOf(words, action, isolated(orderNo))} isBusy={isBusy} onClose={onClose}>
      {current === undefined ? (
        <>
          <Waiting reading={reading} />
          <div class="buttons">
            <button type="button" onClick={onClose}>
              {words.close}
            </button>
          </div>
        </>
      ) : (
        <MoneyForm {...props} payment={current} onBusy={setBusy} />
      )}
    </Dialog>
  );
}

function titleOf({ dialog }: Words, action: MoneyAction, order: string): string {
  switch (action) {
    case 'refund':
      return dialog.refund_title(order);
    case 'capture':
      return dialog.capture_title(order);
    case 'cancel':
      return dialog.cancel_title(order);
    case 'review':
      return dialog.review_title(order);
  }
}

function MoneyForm({ action, orderNo, payment, onClose, onBusy }: Props & { onBusy: (isBusy: boolean) => void }) {
  const { api, words, locale, me } = useApp();
  const { intent, submit } = useIntent();
  const most = action === 'refund' ? payment.refundable : payment.amount;
  const [typed, setTyped] = useState(() => typedAmount(most, locale));
  const [extra, setExtra] = useState('');
  const [confirmed, setConfirmed] = useState('');
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const { step } = intent.phase;
  useEffect(() => onBusy(isOpenEnded(intent.phase)), [onBusy, intent.phase]);
  useEffect(() => {
    // Before the order was read there was nothing to write in.
    form.current?.querySelector('input')?.select();
  }, []);

  const shown = (amount: string): string => money(locale, payment.currency, amount);
  const isPart = action === 'refund' || action === 'capture';
  const part = isPart ? readAmount(typed, locale) : payment.amount;
  const amountFault = isPart ? faultOf(words, part, most, typedAmount('20.00', locale), shown) : undefined;
  const extraFault = action === 'review' && extra.trim() === '' ? words.dialog.required : undefined;
  const above = me.confirm_above?.[payment.currency];
  const isConfirming = part !== undefined && above !== undefined && compareAmounts(part, above) > 0;
  const confirmFault = isConfirming && !isSame(readAmount(confirmed, locale), part) ? words.dialog.not_same : undefined;
  const isLocked = step !== 'writing';

  const send = async (): Promise<void> => {
    setChecked(true);
    if (step === 'writing' && (amountFault || extraFault || confirmFault || part === undefined)) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    const item = itemOf(action, orderNo, payment, part ?? payment.amount, extra.trim());
    await submit((key) => moved(api, action, item, key));
  };

  if (action === 'refund' && isNothing(most) && step === 'writing') {
    return (
      <>
        <p class="dialog-text">{words.dialog.nothing_refundable}</p>
        <div class="buttons">
          <button type="button" onClick={onClose}>
            {words.close}
          </button>
        </div>
      </>
    );
  }
  return (
    <form
      ref={form}
      class="fields"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (step === 'writing' || step === 'unanswered') void send();
      }}
    >
      {isPart && (
        <Field
          label={words.dialog.amount}
          id={`${id}-amount`}
          value={typed}
          onInput={setTyped}
          isLocked={isLocked}
          inputMode="decimal"
          fault={isChecked ? amountFault : undefined}
          hint={words.dialog.all(shown(most))}
        />
      )}
      {action === 'refund' && (
        <Field label={words.dialog.reason} id={`${id}-reason`} value={extra} onInput={setExtra} isLocked={isLocked} />
      )}
      {action === 'review' && (
        <Field
          label={words.dialog.review_flag}
          id={`${id}-flag`}
          value={extra}
          onInput={setExtra}
          isLocked={isLocked}
          fault={isChecked ? extraFault : undefined}
          hint={words.dialog.review_hint}
        />
      )}
      <p class="sentence" aria-live="polite">
        {part !== undefined && amountFault === undefined
          ? sentenceOf(words, action, shown(part), shown(payment.amount), isolated(orderNo), isolated(extra.trim()))
          : words.nothing}
      </p>
      {isConfirming && amountFault === undefined && (
        <Field
          label={words.dialog.type_amount(typedAmount(part ?? '', locale))}
          id={`${id}-confirm`}
          value={confirmed}
          onInput={setConfirmed}
          isLocked={isLocked}
          inputMode="decimal"
          fault={isChecked ? confirmFault : undefined}
        />
      )}
      <PhaseView phase={intent.phase} done={words.dialog.done[action]} action={words.order[action]} onClose={onClose} />
    </form>
  );
}

function faultOf(
  { dialog }: Words,
  part: string | undefined,
  most: string,
  example: string,
  shown: (amount: string) => string,
): string | undefined {
  if (part === undefined || isNothing(part)) return dialog.bad_amount(example);
  return compareAmounts(part, most) > 0 ? dialog.too_much(shown(most)) : undefined;
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && compareAmounts(one, other) === 0;
}

function sentenceOf(
  { dialog }: Words,
  action: MoneyAction,
  part: string,
  whole: string,
  order: string,
  flag: string,
): string {
  switch (action) {
    case 'refund':
      return dialog.refund_sentence(part, whole, order);
    case 'capture':
      return dialog.capture_sentence(part, whole, order);
    case 'cancel':
      return dialog.cancel_sentence(whole, order);
    case 'review':
      return dialog.review_sentence(flag, whole, order);
  }
}

function itemOf(action: MoneyAction, orderNo: string, payment: Payment, part: string, extra: string): MoneyItem {
  const { transaction_id, currency, amount } = payment;
  const item = { transaction_id, order_no: orderNo, currency, amount };
  switch (action) {
    case 'refund':
      return { ...item, refund_amount: part, ...(extra === '' ? {} : { refund_reason: extra }) };
    case 'capture':
      return { ...item, amount: part };
    case 'cancel':
      return item;
    case 'review':
      return { ...item, review_flag: extra };
  }
}

/** Sends it, and then reads what the relay says became of it. */
async function moved(api: Api, action: MoneyAction, item: MoneyItem, key: string): Promise<Ending> {
  const id = await api.move(action, item, key);
  if (id === undefined) return { kind: 'operation', outcome: 'unknown', id };
  // It was answered: where what it says cannot be read now, it is not known here, and the order shows it.
  const operation = await api.operation(id).catch(() => undefined);
  return { kind: 'operation', outcome: operation?.items?.[0] ?? 'unknown', id };
}
