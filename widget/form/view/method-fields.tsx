import type { CheckoutModel } from '../model.ts';
import { chosenMethod } from '../state.ts';
import { CardFields } from './card-fields.tsx';

/** What the chosen method asks for. What is typed here stays when another method is looked at. */
export function MethodFields({ checkout }: { checkout: CheckoutModel }) {
  const { state, parts, t } = checkout;
  const method = chosenMethod(state);
  if (method?.type === 'apm') {
    return (
      <>
        {parts && <parts.Between checkout={checkout} />}
        <p class="note" id="leaving">
          {t('continue_text', { method: method.label })}
        </p>
      </>
    );
  }
  return (
    <>
      {parts && <parts.SavedCards checkout={checkout} />}
      {/* Beside the saved cards, which come later: a field that is typed into must not be moved. */}
      {!state.token && (
        <div class="typed">
          <CardFields checkout={checkout} />
          {parts && <parts.SaveCard checkout={checkout} />}
        </div>
      )}
      {parts && <parts.Between checkout={checkout} />}
    </>
  );
}
