import { useId, useState } from 'preact/hooks';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { Refused } from '../api/send.ts';
import { useApp } from '../app/app.tsx';
import { useAction } from '../intent/use-intent.ts';
import { Fault } from '../parts/state.tsx';

/** The scopes that allow notes: all that allow more than reading. */
const writers: readonly Scope[] = ['settle', 'refund', 'capture', 'cancel', 'review'];

/** Adds a note to the timeline of an order. */
export function NoteForm({ orderNo, onChanged }: { orderNo: string; onChanged: () => Promise<void> }) {
  const { api, words, may } = useApp();
  const { order: names } = words;
  const [note, setNote] = useState('');
  const id = useId();
  const { isSending, fault, run } = useAction(async (key) => {
    await api.noteOrder(orderNo, { note: note.trim() }, key).catch((error: unknown) => {
      if (error instanceof Refused && error.code === 'invalid_request') {
        throw new Refused({ status: 400, code: error.code, detail: names.note_refused });
      }
      throw error;
    });
    setNote('');
  }, onChanged);
  if (!writers.some(may)) return null;
  return (
    <details>
      <summary>{names.add_note}</summary>
      <form
        class="note"
        onSubmit={(event) => {
          event.preventDefault();
          if (note.trim() !== '') run();
        }}
      >
        <label for={id}>{names.note_for_all}</label>
        <textarea
          id={id}
          dir="auto"
          rows={3}
          maxLength={1000}
          value={note}
          readOnly={isSending}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <button type="submit" aria-disabled={isSending || note.trim() === ''}>
          {names.add_note}
        </button>
        <Fault text={fault} />
      </form>
    </details>
  );
}
