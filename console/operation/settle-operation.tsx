import { useId, useState } from 'preact/hooks';
import type { OperationAnswer, SettleBody } from '../../shared/api/operation.ts';
import { list, object, oneOf, optional, text } from '../api/guards.ts';
import { useApp } from '../app/app.ts';
import { isOpenEnded } from '../intent/action.ts';
import { PhaseView } from '../intent/phase-view.tsx';
import { useIntent } from '../intent/use-intent.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ItemText, itemsOf } from './items.tsx';

type Told = 'succeeded' | 'failed';

/** A person who looked at the gateway's portal says what became of each item. */
export function SettleOperation({ operation, onClose }: { operation: OperationAnswer; onClose: () => void }) {
  const { api, words } = useApp();
  const { intent, earlier, submit } = useIntent(settleSubject(operation.id), isSettleBody);
  const items = itemsOf(operation);
  const [told, setTold] = useState<(Told | undefined)[]>(() =>
    items.map((_, at) => earlier?.items?.[at] ?? known(operation.items?.[at])),
  );
  const [note, setNote] = useState(earlier?.note ?? '');
  const [isChecked, setChecked] = useState(false);
  const id = useId();
  const { step } = intent.phase;
  const isLocked = step !== 'writing';
  const outcomes = told.filter((one) => one !== undefined);
  const isWhole = outcomes.length === items.length && note.trim() !== '';

  const send = async (): Promise<void> => {
    setChecked(true);
    const [outcome] = outcomes;
    if (!isWhole || outcome === undefined) return;
    await submit({ outcome, items: outcomes, note: note.trim() }, async (settlement, key) => {
      await api.settleOperation(operation.id, settlement, key);
      return { kind: 'operation', outcome: 'succeeded', id: operation.id };
    });
  };

  return (
    <Dialog
      title={`${words.order.settle}: ${words.operations[operation.operation]}`}
      isBusy={isOpenEnded(intent.phase)}
      onClose={onClose}
    >
      <p class="dialog-text">{words.operation.settle_why}</p>
      <form
        class="fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (step === 'writing' || step === 'unanswered') void send();
        }}
      >
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no names, and never move
          <fieldset key={at} disabled={isLocked || known(operation.items?.[at]) !== undefined}>
            <legend>
              <ItemText item={item} />
            </legend>
            {(['succeeded', 'failed'] as const).map((value) => (
              <label key={value} class="tick">
                <input
                  type="radio"
                  name={`${id}-${at}`}
                  checked={told[at] === value}
                  aria-invalid={isChecked && told[at] === undefined}
                  onChange={() => setTold(told.with(at, value))}
                />
                {words.operation.told[value]}
              </label>
            ))}
          </fieldset>
        ))}
        <div class="field">
          <label for={`${id}-note`}>{words.dialog.note}</label>
          <textarea
            id={`${id}-note`}
            value={note}
            dir="auto"
            rows={2}
            maxLength={2000}
            readOnly={isLocked}
            aria-invalid={isChecked && note.trim() === ''}
            aria-describedby={`${id}-hint`}
            onInput={({ currentTarget }) => setNote(currentTarget.value)}
          />
          <p id={`${id}-hint`} class="hint">
            {words.dialog.note_hint}
          </p>
        </div>
        {isChecked && !isWhole && (
          <p class="fault" role="alert">
            {words.operation.tell_all}
          </p>
        )}
        <PhaseView
          phase={intent.phase}
          done={words.dialog.settled}
          action={words.dialog.settle_button}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** What the dialog is about: the intent of an operation that is settled. */
export const settleSubject = (id: string): readonly string[] => ['settle operation', id];

const isTold = oneOf<Told>({ succeeded: true, failed: true });
const isSettleBody = object<SettleBody>({ outcome: isTold, items: optional(list(isTold)), note: optional(text) });

/** What the gateway told of an item already. */
function known(outcome: 'succeeded' | 'failed' | 'unknown' | undefined): Told | undefined {
  return outcome === 'unknown' ? undefined : outcome;
}
