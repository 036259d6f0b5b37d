import { sayCount } from '../../locales/count.ts';
import { sentences } from '../../locales/together.ts';
import type { CheckoutModel } from '../model.ts';
import type { Told } from '../state.ts';
import { inputId } from '../view/field.tsx';
import { Offers } from './offers.tsx';

/** What is told of a payment that did not succeed; everything else is said calmly. */
const BAD = /^(declined|not_|order_in|too_)/;

/** What stands above the button: what became of the last try, what to do, and the other ways to pay. */
export function ToldView({ checkout, told }: { checkout: CheckoutModel; told: Told }) {
  const bad = BAD.test(told.key);
  return (
    <div class={bad ? 'told' : 'told calm'} id={inputId('told')} tabIndex={-1}>
      {sentences(checkout.boot.lang, [checkout.tell(told), told.key.startsWith('declined') && attemptsLeft(checkout)])}
      {bad && told.key !== 'order_in_progress' && <Offers checkout={checkout} />}
    </div>
  );
}

function attemptsLeft({ say, boot, state }: CheckoutModel): string {
  return sayCount(say, boot, 'attempts', state.view.attempts_left);
}
