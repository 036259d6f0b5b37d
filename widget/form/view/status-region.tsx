import type { CheckoutModel } from '../model.ts';
import { needsChange } from '../state.ts';
import { inputId } from './field.tsx';

type Props = { checkout: CheckoutModel };

/**
 * The live region within the chosen method, above its fields, where the focus is. It announces a payment in progress,
 * the invalid fields, and the message about the last payment. It is rendered from the first paint on, because screen
 * readers ignore live regions that are added later.
 */
export function StatusRegion({ checkout }: Props) {
  const { views, state, t } = checkout;
  return (
    <div role="status">
      <p class="unseen">{state.stage.name === 'paying' ? t('paying') : views?.spokenError(checkout)}</p>
      <MessageAt checkout={checkout} isAbove={true} />
    </div>
  );
}

/** The message, if it belongs here: above the fields, or at the button. */
export function MessageAt({ checkout, isAbove }: Props & { isAbove: boolean }) {
  const { views, state } = checkout;
  const { message } = state;
  if (!message || needsChange(message) !== isAbove) return null;
  const described = views?.describeMessage(checkout, message);
  // The element stays when the views arrive: it may have the focus.
  return (
    <div class={described?.isCalm ? 'message calm' : 'message'} id={inputId('message')} tabIndex={-1}>
      {described ? described.content : checkout.formatMessage(message)}
    </div>
  );
}
