import { useApp } from '../app/app.ts';
import { fill } from '../locales/words.ts';
import { Foreign } from './text.tsx';

const brands: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'Visa'],
  [/^(5[1-5]|2(2[2-9]|[3-6]|7[01]|720))/, 'Mastercard'],
  [/^3[47]/, 'Amex'],
];

/** How it was paid: the brand and last four digits of a card, or the name of the method. */
export function Method({ method, card }: { method: string | undefined; card: string | undefined }) {
  const { words } = useApp();
  const last4 = /\d{4}$/.exec(card ?? '')?.[0];
  if (card !== undefined && last4 !== undefined) {
    const brand = brands.find(([pattern]) => pattern.test(card))?.[1];
    return (
      <span class="method">
        {brand ?? words.orders.card} <span aria-hidden="true">•••• {last4}</span>
        <span class="hidden">{fill(words.orders.ending, { digits: last4 })}</span>
      </span>
    );
  }
  return method === undefined ? <span class="quiet-text">{words.nothing}</span> : <Foreign text={method} />;
}
