import { useId, useState } from 'preact/hooks';
import type { OrderPaymentAnswer, SettlePayment } from '../../shared/api/order-payment.ts';
import { useApp } from '../app/app.tsx';
import { Choice, IntentForm, Note } from '../intent/intent-form.tsx';
import { useIntent } from '../intent/use-intent.ts';
import { fill } from '../locales/words.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/state.tsx';
import { isolated, money, Sentence } from '../parts/text.tsx';

const outcomes = ['confirmed', 'reversed'] as const;

/** Lets a person who looked at the gateway's portal settle a held, reversed or unconfirmed payment. */
export function SettlePaymentDialog({ payment, onClose }: { payment: OrderPaymentAnswer; onClose: () => void }) {
  const { transaction_id, order_no, amount, currency } = payment;
  const { api, words, locale } = useApp();
  const { dialog } = words;
  const { intent, earlier, submit } = useIntent<SettlePayment>(['settle_payment', order_no, transaction_id]);
  const [outcome, setOutcome] = useState(earlier?.outcome);
  const [note, setNote] = useState(earlier?.note ?? '');
  const [isChecked, setChecked] = useState(false);
  const id = useId();
  const isWriting = intent.phase.step === 'writing';
  const said = note.trim();
  const body = outcome === undefined || said === '' ? undefined : { outcome, note: said };

  const send = () => {
    setChecked(true);
    return (
      body &&
      submit(body, async (settlement, key) => {
        await api.settlePayment(transaction_id, settlement, key);
        return { kind: 'operation', outcome: 'succeeded', id: undefined };
      })
    );
  };

  const missing = (isMissing: boolean) => isChecked && isMissing && isWriting;
  return (
    <Dialog title={fill(dialog.settle_title, { order: isolated(order_no) })} onClose={onClose}>
      <p class="dialog-text">{dialog.settle_why}</p>
      <IntentForm phase={intent.phase} done={dialog.settled} action={dialog.settle_button} onSend={send}>
        <fieldset disabled={!isWriting}>
          <legend class="hidden">{words.orders.status}</legend>
          <Choice
            name={`${id}-outcome`}
            values={outcomes}
            chosen={outcome}
            isWrong={missing(outcome === undefined)}
            textOf={(value) => dialog[`was_${value}`]}
            onChoose={setOutcome}
          />
        </fieldset>
        <Note id={id} value={note} isLocked={!isWriting} isWrong={missing(said === '')} onInput={setNote} />
        {outcome !== undefined && (
          <p class="sentence" aria-live="polite">
            <Sentence
              text={fill(dialog[`settle_${outcome}_sentence`], {
                amount: money(locale, currency, amount),
                order: isolated(order_no),
              })}
            />
          </p>
        )}
        <Fault text={missing(body === undefined) ? dialog.settle_missing : undefined} />
      </IntentForm>
    </Dialog>
  );
}
