import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { harmless } from '../parts/harmless.ts';
import type { Phase } from './action.ts';

/** How far a dialog's intent is, in words, and the buttons that go on from there. The dialog's form sends at its submit. */
export function PhaseView(props: {
  phase: Phase;
  done: string;
  action: string;
  /** In place of the usual words. */
  unknown?: string;
  declined?: string;
  onClose: () => void;
}) {
  const { words } = useApp();
  const { phase, done, action, onClose, unknown = words.dialog.unknown, declined = words.dialog.declined } = props;
  const close = (text: string, isPrimary = false) => (
    <button type="button" class={isPrimary ? 'primary' : undefined} onClick={onClose}>
      {text}
    </button>
  );
  switch (phase.step) {
    case 'writing':
      return (
        <>
          {phase.refusal && (
            <p class="notice bad" role="alert">
              {harmless(phase.refusal.message)}
            </p>
          )}
          <div class="buttons">
            {close(words.back)}
            <button type="submit" class="primary">
              {action}
            </button>
          </div>
        </>
      );
    case 'sending':
      return (
        <>
          <p class="notice busy" role="status">
            {words.dialog.sending}
          </p>
          <div class="buttons">
            <button type="submit" class="primary" aria-disabled="true">
              {action}
            </button>
          </div>
        </>
      );
    case 'unanswered':
      return (
        <>
          <p class="notice open" role="alert">
            {phase.isEarlier ? words.dialog.earlier : words.dialog.unanswered}
          </p>
          <div class="buttons">
            <button type="submit" class="primary">
              {words.dialog.ask_again}
            </button>
          </div>
        </>
      );
    case 'unknown':
      return (
        <>
          <p class="notice open" role="alert">
            {unknown}
          </p>
          <div class="buttons">
            {phase.operationId !== undefined && (
              <Link to={{ page: 'operation', id: phase.operationId }} class="button">
                {words.dialog.see_operation}
              </Link>
            )}
            {close(words.close, true)}
          </div>
        </>
      );
    case 'done':
      return (
        <>
          <p class={`notice ${phase.outcome === 'succeeded' ? 'good' : 'bad'}`} role="alert">
            {phase.outcome === 'succeeded' ? done : declined}
          </p>
          <div class="buttons">{close(words.close, true)}</div>
        </>
      );
  }
}
