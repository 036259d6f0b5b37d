import { translateCount } from '../../../locales/count.ts';
import type { MessageKey } from '../../../locales/messages.ts';
import { sentences } from '../../../locales/together.ts';
import type { CheckoutModel, ViewsModule } from '../../model.ts';
import { methodKey, methodLabel } from '../../state.ts';
import { radioId } from '../../view/radios.tsx';

/** The messages about a payment that did not succeed; all others have the calm style. */
const BAD = /^(declined|not_(?!paid)|too_)/;

/**
 * Messages that offer another way to pay. The others concern the same card, and nothing is shown between them and its
 * fields.
 */
const OFFERING = /^(declined|declined_(try_another_card|contact_bank)|not_(paid|sent|accepted)|too_many)$/;

/** Messages that name other ways to pay, each with the message to show if there are none. */
const ONLY: Readonly<Partial<Record<MessageKey, MessageKey>>> = {
  declined: 'declined_only',
  declined_try_another_card: 'declined_try_another_card_only',
  not_paid: 'not_paid_only',
  not_paid_with: 'not_paid_with_only',
};

/** The message in the form: the result of the last attempt, what to do, and the other ways to pay. */
export const describeMessage: ViewsModule['describeMessage'] = (checkout, message) => {
  const isOnly = checkout.state.view.methods.length < 2;
  const key = (isOnly && ONLY[message.key]) || message.key;
  const content = (
    <>
      {sentences(checkout.boot.lang, [
        checkout.formatMessage({ ...message, key }),
        message.key.startsWith('declined') && attemptsLeft(checkout),
      ])}
      {OFFERING.test(message.key) && <Offers checkout={checkout} />}
    </>
  );
  return { isCalm: !BAD.test(message.key), content };
};

function attemptsLeft({ t, boot, state }: CheckoutModel): string {
  return translateCount(t, boot, 'attempts', state.view.attempts_left);
}

/** With more of them, the chooser above is enough: it has all methods. */
const MAX_OFFERS = 3;

/** The other ways to pay, after an attempt that did not succeed. */
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
