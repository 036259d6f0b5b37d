import type { CheckoutModel } from '../model.ts';
import { methodKey, methodLabel } from '../state.ts';
import { radioId } from '../view/radios.tsx';

/** More would be a second chooser: the one above has them all. */
const MAX_OFFERS = 3;

/** The other ways to pay, in place, where the last try did not succeed. */
export function Offers({ checkout }: { checkout: CheckoutModel }) {
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
