import type { ComponentChildren, RefObject } from 'preact';
import type { Phase } from './action.ts';
import { PhaseView } from './phase-view.tsx';

/**
 * The form of a dialog with an intent: its fields, and how far the intent is. `onSend` is asked where the phase lets it send;
 * where it sends nothing, the first field that is marked as wrong has the focus.
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
