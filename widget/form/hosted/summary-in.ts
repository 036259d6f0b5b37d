import { formatMoney } from '../../../shared/checkout/money/money.ts';
import type { Boot, OrderParts, Summary } from '../../../shared/checkout/view.ts';
import { translator } from '../../locales/messages.ts';

/** An order's summary as a shopper reads it. Never part of the browser's bundle: number formats are slow there. */
export function summaryIn(
  { locale, messages }: Pick<Boot, 'locale' | 'messages'>,
  currency: string,
  { items, further, sums }: OrderParts,
): Summary {
  const t = translator(messages);
  const money = (amount: string) => formatMoney(locale, currency, amount);
  const number = (count: number) => new Intl.NumberFormat(locale).format(count);
  return {
    items: items.map(({ name, quantity, price, total }) => ({
      name,
      ...(quantity > 1 && { detail: `${number(quantity)} × ${money(price)}` }),
      total: money(total),
    })),
    ...(further > 0 && { further: t('further', { count: number(further) }) }),
    sums: sums.map(({ name, amount }) => ({
      label: t(name),
      amount: money(name.endsWith('discount') ? `-${amount}` : amount),
    })),
  };
}
