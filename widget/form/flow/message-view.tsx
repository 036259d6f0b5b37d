import { translateCount } from '../../locales/count.ts';
import { sentences } from '../../locales/together.ts';
import type { CheckoutModel } from '../model.ts';
import type { Message } from '../state.ts';
import { inputId } from '../view/field.tsx';
import { Offers } from './offers.tsx';

/** The messages about a payment that did not succeed; all others have the calm style. */
const BAD = /^(declined|not_(?!paid)|too_)/;

/** The message above the button: the result of the last attempt, what to do, and the other ways to pay. */
export function MessageView({ checkout, message }: { checkout: CheckoutModel; message: Message }) {
  const bad = BAD.test(message.key);
  return (
    <div class={bad ? 'message' : 'message calm'} id={inputId('message')} tabIndex={-1}>
      {sentences(checkout.boot.lang, [
        checkout.formatMessage(message),
        message.key.startsWith('declined') && attemptsLeft(checkout),
      ])}
      {(bad || message.key === 'not_paid') && <Offers checkout={checkout} />}
    </div>
  );
}

function attemptsLeft({ t, boot, state }: CheckoutModel): string {
  return translateCount(t, boot, 'attempts', state.view.attempts_left);
}
