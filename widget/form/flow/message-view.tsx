import { translateCount } from '../../locales/count.ts';
import { sentences } from '../../locales/together.ts';
import type { CheckoutModel } from '../model.ts';
import { type Message, methodKey, methodLabel } from '../state.ts';
import { inputId } from '../view/field.tsx';
import { radioId } from '../view/radios.tsx';

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

/** More would be a second chooser: the one above has them all. */
const MAX_OFFERS = 3;

/** The other ways to pay, in place, where the last try did not succeed. */
function Offers({ checkout }: { checkout: CheckoutModel }) {
  const { t, state } = checkout;
  const others = state.view.methods.filter((method) => methodKey(method) !== state.method).slice(0, MAX_OFFERS);
  if (!others.length) return null;
  return (
    <div class="offers">
      {others.map((method) => {
        const key = methodKey(method);
        return (
          <button
            key={key}
            type="button"
            class="link"
            onClick={() => {
              checkout.choose(key);
              checkout.focus(radioId('method', key));
            }}
          >
            {t('pay_with', { method: methodLabel(method, t) })}
          </button>
        );
      })}
    </div>
  );
}
