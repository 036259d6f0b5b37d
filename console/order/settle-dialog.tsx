import { useId, useState } from 'preact/hooks';
import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { SettleSession } from '../../shared/api/session.ts';
import { useApp } from '../app/app.tsx';
import { Choice, IntentForm, Note } from '../intent/intent-form.tsx';
import { useIntent } from '../intent/use-intent.ts';
import { fill } from '../locales/words.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/state.tsx';
import { isolated, money } from '../parts/text.tsx';

/** A person who looked at the gateway's portal says whether an order was paid. */
export function SettleDialog(props: { order: OrderWithTimeline; sessionId: string; onClose: () => void }) {
  const { order, sessionId, onClose } = props;
  const { api, words, locale } = useApp();
  const { intent, earlier, submit } = useIntent<SettleSession>(['settle', order.order_no, sessionId]);
  const [outcome, setOutcome] = useState(earlier?.outcome);
  const [transaction, setTransaction] = useState(earlier?.outcome === 'approved' ? earlier.transaction_id : '');
  const [note, setNote] = useState(earlier?.note ?? '');
  const [isChecked, setChecked] = useState(false);
  const id = useId();
  const { step } = intent.phase;
  const session = order.sessions.find((one) => one.id === sessionId);
  const amount = money(locale, session?.currency ?? order.currency, session?.amount ?? order.amount);
  const body = bodyOf(outcome, transaction.trim(), note.trim());
  const isLocked = step !== 'writing';

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

  const missing = (isMissing: boolean) => isChecked && isMissing && step === 'writing';
  return (
    <Dialog title={fill(words.dialog.settle_title, { order: isolated(order.order_no) })} onClose={onClose}>
      <p class="dialog-text">{words.dialog.settle_why}</p>
      <IntentForm phase={intent.phase} done={words.dialog.settled} action={words.dialog.settle_button} onSend={send}>
        <fieldset disabled={isLocked}>
          <legend class="hidden">{words.orders.status}</legend>
          <Choice
            name={`${id}-outcome`}
            values={outcomes}
            chosen={outcome}
            isWrong={missing(outcome === undefined)}
            textOf={(value) => (value === 'approved' ? words.dialog.was_paid : words.dialog.was_not_paid)}
            onChoose={setOutcome}
          />
        </fieldset>
        {outcome === 'approved' && (
          <div class="field">
            <label for={`${id}-transaction`}>{words.dialog.transaction_id}</label>
            <input
              id={`${id}-transaction`}
              value={transaction}
              dir="auto"
              autocomplete="off"
              readOnly={isLocked}
              aria-invalid={missing(transaction.trim() === '')}
              onInput={({ currentTarget }) => setTransaction(currentTarget.value)}
            />
          </div>
        )}
        <Note id={id} value={note} isLocked={isLocked} isWrong={missing(note.trim() === '')} onInput={setNote} />
        {outcome !== undefined && (
          <p class="sentence" aria-live="polite">
            {outcome === 'approved'
              ? fill(words.dialog.settle_paid_sentence, { amount, order: isolated(order.order_no) })
              : fill(words.dialog.settle_not_paid_sentence, { amount, order: isolated(order.order_no) })}
          </p>
        )}
        <Fault text={missing(body === undefined) ? words.dialog.settle_missing : undefined} />
      </IntentForm>
    </Dialog>
  );
}

const outcomes = ['approved', 'not_paid'] as const;

function bodyOf(
  outcome: 'approved' | 'not_paid' | undefined,
  transaction_id: string,
  note: string,
): SettleSession | undefined {
  if (note === '' || outcome === undefined) return undefined;
  if (outcome === 'not_paid') return { outcome, note };
  return transaction_id === '' ? undefined : { outcome, transaction_id, note };
}
