import { expect, it } from 'vitest';
import { formatMoney } from './money.ts';

const plain = (text: string) => text.replace(/\s/g, ' ');

it.each([
  ['pt-BR', 'BRL', '129.90', 'R$ 129,90'],
  ['en', 'BRL', '129.90', 'R$129.90'],
  ['en', 'JPY', '1000.00', '¥1,000'],
  ['en', 'KWD', '1.50', 'KWD 1.500'],
  ['en', 'KWD', '0.000', 'KWD 0.000'],
  ['fr', 'TND', '1234.505', '1 234,505 TND'],
  // Intl shows none of its three decimals if there is nothing in them.
  ['en', 'IQD', '10500.000', 'IQD 10,500'],
  ['en', 'IQD', '10.500', 'IQD 10.500'],
  ['de', 'EUR', '1234567.05', '1.234.567,05 €'],
])('in %s, %s %s is shown as %s', (locale, currency, amount, shown) => {
  expect(plain(formatMoney(locale, currency, amount))).toBe(shown);
});

it('never rounds an amount away', () => expect(formatMoney('en', 'JPY', '1000.50')).toBe('¥1,000.50'));

it('keeps every digit of an amount that no float can hold', () => {
  expect(formatMoney('en', 'USD', '123456789012345.67')).toBe('$123,456,789,012,345.67');
});

it.each([
  ['ar', '\u200f129.90 \u2068R$\u2069'],
  ['he', '\u200f129.90 \u200f\u2068R$\u2069'],
])('keeps a currency’s letters in their order in %s', (locale, shown) => {
  expect(plain(formatMoney(locale, 'BRL', '129.90'))).toBe(shown);
});
