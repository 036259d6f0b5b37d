import { useId, useState } from 'preact/hooks';
import type { OperationAnswer, SettleBody } from '../../shared/api/operation.ts';
import { useApp } from '../app/app.tsx';
import { Choice, IntentForm, Note } from '../intent/intent-form.tsx';
import { useIntent } from '../intent/use-intent.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ItemText, itemsOf } from '../parts/operation.tsx';
import { Fault } from '../parts/state.tsx';

const answers = ['succeeded', 'failed'] as const;
type Outcome = (typeof answers)[number];

/** Lets a person who looked at the gateway's portal enter the outcome of each item. */
export function SettleOperation({ operation, onClose }: { operation: OperationAnswer; onClose: () => void }) {
  const { api, words } = useApp();
  const { intent, earlier, submit } = useIntent<SettleBody>(settleSubject(operation.id));
  const items = itemsOf(operation);
  const [chosen, setChosen] = useState<(Outcome | undefined)[]>(() =>
    items.map((_, at) => earlier?.items?.[at] ?? known(operation.items?.[at])),
  );
  const [note, setNote] = useState(earlier?.note ?? '');
  const [isChecked, setChecked] = useState(false);
  const id = useId();
  const { step } = intent.phase;
  const isLocked = step !== 'writing';
  const outcomes = chosen.filter((one) => one !== undefined);
  const isWhole = outcomes.length === items.length && note.trim() !== '';

  const send = () => {
    setChecked(true);
    const [outcome] = outcomes;
    if (!isWhole || outcome === undefined) return undefined;
    return submit({ outcome, items: outcomes, note: note.trim() }, async (settlement, key) => {
      await api.settleOperation(operation.id, settlement, key);
      return { kind: 'operation', outcome: 'succeeded', id: operation.id };
    });
  };

  return (
    <Dialog title={`${words.order.settle}: ${words.operations[operation.operation]}`} onClose={onClose}>
      <p class="dialog-text">{words.operation.settle_why}</p>
      <IntentForm phase={intent.phase} done={words.dialog.settled} action={words.dialog.settle_button} onSend={send}>
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no ids and keep their order
          <fieldset key={at} disabled={isLocked || known(operation.items?.[at]) !== undefined}>
            <legend>
              <ItemText item={item} />
            </legend>
            <Choice
              name={`${id}-${at}`}
              values={answers}
              chosen={chosen[at]}
              isWrong={isChecked && chosen[at] === undefined}
              textOf={(value) => words.operation.outcomes[value]}
              onChoose={(value) => setChosen(chosen.with(at, value))}
            />
          </fieldset>
        ))}
        <Note id={id} value={note} isLocked={isLocked} isWrong={isChecked && note.trim() === ''} onInput={setNote} />
        <Fault text={isChecked && !isWhole ? words.operation.tell_all : undefined} />
      </IntentForm>
    </Dialog>
  );
}

/** The subject of the dialog's intent. */
export const settleSubject = (id: string): readonly string[] => ['settle operation', id];

/** The outcome of an item that the gateway already reported. */
function known(outcome: 'succeeded' | 'failed' | 'unknown' | undefined): Outcome | undefined {
  return outcome === 'unknown' ? undefined : outcome;
}
