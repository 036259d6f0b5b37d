import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../app/app.tsx';
import { focusNearest, pathTo } from './focus.ts';
import { ReloadNotice, Waiting } from './state.tsx';
import { Sentence } from './text.tsx';
import type { Reading } from './use-answer.ts';

/** The dialog around a component: closes it, or keeps it open while busy. */
export const DialogContext = createContext({ onClose: () => {}, setBusy: (_isBusy: boolean) => {} });

/**
 * A modal dialog, open while it is mounted. Escape asks to close it, and does nothing while it is busy. Afterwards the element that
 * had the focus before gets it back, or the nearest element that is left.
 */
export function Dialog(props: { title: string; isBusy?: boolean; onClose: () => void; children: ComponentChildren }) {
  const { title, onClose, children } = props;
  const [isSending, setBusy] = useState(false);
  const isBusy = props.isBusy || isSending;
  const { words, isOutdated } = useApp();
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = box.current;
    const before = pathTo(document.activeElement);
    dialog?.showModal();
    return () => {
      dialog?.close();
      focusNearest(before);
    };
  }, []);
  return (
    <dialog
      ref={box}
      aria-labelledby={id}
      aria-busy={isBusy}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
      onKeyDown={(event) => {
        // Browsers close a dialog at the second Escape without an event that can be cancelled.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (!isBusy) onClose();
      }}
    >
      <h2 id={id}>
        <Sentence text={title} />
      </h2>
      {/* The page behind an open dialog is inert, so the notice is shown here too. */}
      <ReloadNotice words={words} isOutdated={isOutdated} />
      <DialogContext.Provider value={{ onClose, setBusy }}>{children}</DialogContext.Provider>
    </dialog>
  );
}

/** A dialog that reads its data first and renders its content from the answer. */
export function ReadDialog<T>(props: {
  title: string;
  reading: Reading<unknown>;
  answer: T | undefined;
  onClose: () => void;
  children: (answer: T) => ComponentChildren;
}) {
  const { reading, answer, children, ...dialog } = props;
  return (
    <Dialog {...dialog}>
      {answer === undefined ? (
        <>
          <Waiting reading={reading} />
          <CloseButton />
        </>
      ) : (
        children(answer)
      )}
    </Dialog>
  );
}

/** The only button of a finished dialog. */
export function CloseButton() {
  const { onClose } = useContext(DialogContext);
  return (
    <div class="buttons">
      <button type="button" onClick={onClose}>
        {useApp().words.close}
      </button>
    </div>
  );
}

/** A text field with its label, hint and fault. It is read-only while `isLocked`. */
export function Field(props: {
  label: string;
  id: string;
  value: string;
  onInput: (value: string) => void;
  isLocked: boolean;
  inputMode?: 'decimal' | 'email';
  type?: 'date';
  placeholder?: string | undefined;
  fault?: string | undefined;
  hint?: string;
  /** Suggested values. */
  choices?: readonly string[] | undefined;
}) {
  const { label, id, value, onInput, isLocked, inputMode, type, placeholder, fault, hint, choices = [] } = props;
  const about = [...(fault === undefined ? [] : [`${id}-fault`]), ...(hint === undefined ? [] : [`${id}-hint`])];
  const own = {
    ...{ id, value, placeholder, inputMode, dir: 'auto' as const, autocomplete: 'off' },
    ...{ readOnly: isLocked, maxLength: 200, 'aria-invalid': fault !== undefined },
    'aria-describedby': about.length === 0 ? undefined : about.join(' '),
    list: choices.length > 0 ? `${id}-choices` : undefined,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'date' ? <input type="date" {...own} /> : <input {...own} />}
      {choices.length > 0 && (
        <datalist id={`${id}-choices`}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
    </div>
  );
}
