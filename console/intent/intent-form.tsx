import type { ComponentChildren, RefObject } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { Link, useApp } from '../app/app.tsx';
import { fill } from '../locales/words.ts';
import { compareAmounts, isSame, readAmount, typedAmount } from '../parts/amount.ts';
import { DialogContext, Field } from '../parts/dialog.tsx';
import type { Tone } from '../parts/state.tsx';
import { clock, harmless } from '../parts/text.tsx';
import { isOpenEnded, type Phase } from './action.ts';

/**
 * The form of a dialog with an intent: its fields and its phase. `onSend` is called if the phase allows sending. If it sends
 * nothing, the first invalid field gets the focus.
 */
export function IntentForm(
  props: Parameters<typeof PhaseView>[0] & {
    phase: Phase;
    class?: string;
    box?: RefObject<HTMLFormElement | null>;
    onSend: () => Promise<unknown> | undefined;
    children: ComponentChildren;
  },
) {
  const { class: more, box, onSend, children, ...view } = props;
  const { setBusy } = useContext(DialogContext);
  const isOpen = isOpenEnded(view.phase);
  useLayoutEffect(() => {
    setBusy(isOpen);
    // The dialog may have replaced the form.
    return () => setBusy(false);
  }, [setBusy, isOpen]);
  return (
    <form
      ref={box}
      class={more ?? 'fields'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const { step } = view.phase;
        if ((step !== 'writing' && step !== 'unanswered') || onSend()) return;
        const form = event.currentTarget;
        requestAnimationFrame(() => {
          const wrong = form.querySelector<HTMLElement>('[aria-invalid=true]');
          wrong?.closest('details')?.setAttribute('open', '');
          wrong?.focus();
        });
      }}
    >
      {children}
      <PhaseView {...view} />
    </form>
  );
}

/** The phase of a dialog's intent in words, with its buttons. The submit of the form sends. */
function PhaseView(props: {
  phase: Phase;
  done: string;
  action: string;
  /** Replaces the default texts. */
  unknown?: string;
  declined?: string;
}) {
  const { words, locale } = useApp();
  const { onClose } = useContext(DialogContext);
  const { phase, done, action, unknown = words.dialog.unknown, declined = words.dialog.declined } = props;
  const close = (text: string, isPrimary = false) => (
    <button
      type="button"
      class={isPrimary ? 'primary' : undefined}
      ref={isPrimary ? takeLostFocus : undefined}
      onClick={onClose}
    >
      {text}
    </button>
  );
  const send = (text: string, isSending = false) => (
    <button
      type="submit"
      class="primary"
      aria-disabled={isSending}
      ref={phase.step === 'writing' ? undefined : takeLostFocus}
    >
      {text}
    </button>
  );
  const operation = (id: string | undefined) =>
    id !== undefined && (
      <Link to={{ page: 'operation', id }} class="button">
        {words.dialog.see_operation}
      </Link>
    );
  const view = (tone: Tone, text: string | undefined, buttons: ComponentChildren) => (
    <>
      {text !== undefined && (
        <p class={`notice ${tone}`} role={tone === 'busy' ? 'status' : 'alert'}>
          {text}
        </p>
      )}
      <div class="buttons">{buttons}</div>
    </>
  );
  switch (phase.step) {
    case 'writing':
      return view('bad', phase.refusal && harmless(phase.refusal.message), [close(words.back), send(action)]);
    case 'sending':
      return view('busy', words.dialog.sending, send(action, true));
    case 'unanswered':
      return view(
        'open',
        phase.isEarlier ? words.dialog.earlier : words.dialog.unanswered,
        send(words.dialog.ask_again),
      );
    case 'unknown':
      return view('open', unknown, [operation(phase.operationId), close(words.close, true)]);
    case 'held':
      return view('good', fill(words.approvals.held, { time: clock(locale, phase.until) }), close(words.close, true));
    case 'done':
      return phase.outcome === 'succeeded'
        ? view('good', done, close(words.close, true))
        : view('bad', `${declined} ${harmless(phase.message ?? '')}`.trim(), [
            operation(phase.operationId),
            close(words.close, true),
          ]);
  }
}

/** Gives a button the focus if the dialog's focused button was removed. */
function takeLostFocus(button: HTMLButtonElement | null): void {
  if (button && !button.closest('dialog')?.contains(document.activeElement)) button.focus();
}

/** Radio buttons without a frame. */
export function Choice<Value extends string>(props: {
  name: string;
  values: readonly Value[];
  chosen: Value | undefined;
  isWrong?: boolean;
  textOf: (value: Value) => string;
  onChoose: (value: Value) => void;
}) {
  const { name, values, chosen, isWrong = false, textOf, onChoose } = props;
  return values.map((value) => (
    <label key={value} class="tick">
      <input
        type="radio"
        name={name}
        checked={chosen === value}
        aria-invalid={isWrong}
        onChange={() => onChoose(value)}
      />
      {textOf(value)}
    </label>
  ));
}

/** The note of the person who settles something by hand. */
export function Note(props: {
  id: string;
  value: string;
  isLocked: boolean;
  isWrong: boolean;
  /** Replaces the default hint. */
  hint?: string;
  onInput: (value: string) => void;
}) {
  const { dialog } = useApp().words;
  const { id, value, isLocked, isWrong, hint = dialog.note_hint, onInput } = props;
  return (
    <div class="field">
      <label for={`${id}-note`}>{dialog.note}</label>
      <textarea
        id={`${id}-note`}
        value={value}
        dir="auto"
        rows={2}
        maxLength={2000}
        readOnly={isLocked}
        aria-invalid={isWrong}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
}

/**
 * Asks the person to type a large amount a second time; `isMissing` until both are equal. Amounts up to `console.confirm_above`
 * and requests that were sent need no confirmation.
 */
export function useSecondAmount(amount: string | undefined, currency: string, isWriting: boolean) {
  const { words, locale, me } = useApp();
  const [typed, setTyped] = useState('');
  const above = me.confirm_above?.[currency];
  const isLarge = amount !== undefined && above !== undefined && compareAmounts(amount, above) > 0;
  if (!isWriting || !isLarge) return { isMissing: false, field: () => null };
  const isMissing = !isSame(readAmount(typed, locale, currency), amount);
  const field = (id: string, isChecked: boolean) => (
    <Field
      label={fill(words.dialog.type_amount, { amount: typedAmount(amount, locale) })}
      id={id}
      value={typed}
      onInput={setTyped}
      isLocked={false}
      inputMode="decimal"
      fault={isChecked && isMissing ? words.dialog.not_same : undefined}
    />
  );
  return { isMissing, field };
}
