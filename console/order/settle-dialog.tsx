import { useId, useState } from 'preact/hooks';
import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { SettleSession } from '../../shared/api/session.ts';
import { useApp } from '../app/app.tsx';
import { Choice, IntentForm, Note } from '../intent/intent-form.tsx';
import { useIntent } from '../intent/use-intent.ts';
import { fill } from '../locales/words.ts';
import { readAmount, typedAmount } from '../parts/amount.ts';
import { Dialog, Field } from '../parts/dialog.tsx';
import { Fault } from '../parts/state.tsx';
import { isolated, money, Sentence } from '../parts/text.tsx';
import { namedRecords } from './records.tsx';

/**
 * Lets a person who looked at the gateway's portal say whether an order was paid, and by which payment: one of the gateway's records,
 * or another one.
 */
export function SettleDialog(props: { order: OrderWithTimeline; sessionId: string; onClose: () => void }) {
  const { order, sessionId, onClose } = props;
  const { api, words, locale } = useApp();
  const { dialog } = words;
  const { intent, earlier, submit } = useIntent<SettleSession>(['settle', order.order_no, sessionId]);
  const paid = earlier?.outcome === 'approved' ? earlier : undefined;
  const session = order.sessions.find((one) => one.id === sessionId) ?? order;
  // A copy from when the dialog opened: the choices must not change while the person reads them.
  const [records] = useState(() => namedRecords(order));
  const ofRecord = (id: string): string => `record ${id}`;
  const known = records.find((one) => one.transaction_id === paid?.transaction_id);
  const [choice, setChoice] = useState(known ? ofRecord(known.transaction_id) : earlier?.outcome);
  const [transaction, setTransaction] = useState(paid?.transaction_id ?? '');
  const [typed, setTyped] = useState(typedAmount(paid?.amount ?? session.amount, locale));
  const [note, setNote] = useState(earlier?.note ?? '');
  const [isChecked, setChecked] = useState(false);
  const id = useId();
  const isLocked = intent.phase.step !== 'writing';
  const shown = (currency: string, amount: string): string => money(locale, currency, amount);

  const record = records.find((one) => ofRecord(one.transaction_id) === choice);
  const currency = paid?.currency ?? session.currency;
  const other = { transaction_id: transaction.trim(), amount: readAmount(typed, locale, currency), currency };
  const payment = record ?? other;
  const said = note.trim();
  const body = ((): SettleSession | undefined => {
    if (choice === undefined || said === '') return undefined;
    if (choice === 'not_paid') return { outcome: choice, note: said };
    const { transaction_id, amount, currency } = payment;
    return transaction_id === '' || amount === undefined
      ? undefined
      : { outcome: 'approved', transaction_id, amount, currency, note: said };
  })();

  const send = () => {
    setChecked(true);
    return (
      body &&
      submit(body, async (settlement, key) => {
        await api.settleSession(sessionId, settlement, key);
        return { kind: 'operation', outcome: 'succeeded', id: undefined };
      })
    );
  };

  const textOf = (value: string): string => {
    const one = records.find(({ transaction_id }) => ofRecord(transaction_id) === value);
    if (one)
      return fill(dialog.was_paid_by, {
        amount: shown(one.currency, one.amount),
        transaction: isolated(one.transaction_id),
      });
    if (value === 'not_paid') return dialog.was_not_paid;
    return records.length > 0 ? dialog.was_paid_otherwise : dialog.was_paid;
  };
  const missing = (isMissing: boolean) => isChecked && isMissing && !isLocked;
  const isUnknown = other.transaction_id !== '' && records.every((one) => one.transaction_id !== other.transaction_id);
  const sentence = { amount: shown(session.currency, session.amount), order: isolated(order.order_no) };
  return (
    <Dialog title={fill(dialog.settle_title, { order: isolated(order.order_no) })} onClose={onClose}>
      <p class="dialog-text">{dialog.settle_why}</p>
      <IntentForm phase={intent.phase} done={dialog.settled} action={dialog.settle_button} onSend={send}>
        <fieldset disabled={isLocked}>
          <legend class="hidden">{words.orders.status}</legend>
          <Choice
            name={`${id}-outcome`}
            values={[...records.map((one) => ofRecord(one.transaction_id)), 'approved', 'not_paid']}
            chosen={choice}
            isWrong={missing(choice === undefined)}
            textOf={textOf}
            onChoose={setChoice}
          />
        </fieldset>
        {choice === 'approved' && (
          <>
            <Field
              label={dialog.transaction_id}
              id={`${id}-transaction`}
              value={transaction}
              onInput={setTransaction}
              isLocked={isLocked}
              fault={missing(other.transaction_id === '') ? dialog.required : undefined}
              {...(isUnknown && { hint: dialog.transaction_not_shown })}
            />
            <Field
              label={words.orders.amount}
              id={`${id}-amount`}
              value={typed}
              onInput={setTyped}
              isLocked={isLocked}
              inputMode="decimal"
              fault={missing(other.amount === undefined) ? dialog.required : undefined}
            />
          </>
        )}
        <Note id={id} value={note} isLocked={isLocked} isWrong={missing(said === '')} onInput={setNote} />
        {choice !== undefined && (
          <p class="sentence" aria-live="polite">
            {choice === 'not_paid' ? (
              <Sentence text={fill(dialog.settle_not_paid_sentence, sentence)} />
            ) : (
              payment.amount !== undefined && (
                <Sentence
                  text={fill(dialog.settle_paid_sentence, {
                    ...sentence,
                    amount: shown(payment.currency, payment.amount),
                  })}
                />
              )
            )}
          </p>
        )}
        <Fault text={missing(body === undefined) ? dialog.settle_missing : undefined} />
      </IntentForm>
    </Dialog>
  );
}
