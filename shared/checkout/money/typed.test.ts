import { expect, it } from 'vitest';
import { isSignOf, readDecimal, splitMoney } from './typed.ts';

it.each([
  ['R$478,90', { sign: 'R$', number: '478,90' }],
  ['R$\u00a01.299,90', { sign: 'R$', number: '1.299,90' }],
  ['\u2068R$\u2069478.90', { sign: 'R$', number: '478.90' }],
  ['129.90 USD', { sign: 'USD', number: '129.90' }],
  ['1.000', { number: '1.000' }],
  ['A-1', undefined],
  ['T77', undefined],
  ['-5', undefined],
  ['R$', undefined],
  ['R$5BRL', undefined],
  ['1.2.3 abcdef', undefined],
])('splits %s into its number and its sign', (typed, parts) => expect(splitMoney(typed)).toEqual(parts));

it('reads an unambiguous amount by its decimal sign', () => {
  expect([readDecimal('1.000', '.'), readDecimal('1.000', ',')]).toEqual(['1.000', '1000.00']);
  expect([readDecimal('478,90', '.'), readDecimal('478,90', ',')]).toEqual(['478.90', '478.90']);
  expect([readDecimal('1.2.3', '.'), readDecimal('1.2990', ',')]).toEqual([undefined, undefined]);
});

it('knows the signs of a currency, and those that it shares', () => {
  const names = (sign: string, display: 'symbol' | 'narrowSymbol') =>
    ['BRL', 'USD', 'MXN', 'x'].filter((currency) => isSignOf(currency, sign, display));
  expect(names('R$', 'narrowSymbol')).toEqual(['BRL']);
  expect(names('$', 'symbol')).toEqual(['USD']);
  expect(names('$', 'narrowSymbol')).toEqual(['USD', 'MXN']);
  expect(names('US$', 'symbol')).toEqual(['USD']);
  expect(names('mxn', 'symbol')).toEqual(['MXN']);
  expect(names('€', 'narrowSymbol')).toEqual([]);
});
