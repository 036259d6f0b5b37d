import { describe, expect, it } from 'vitest';
import { compareAmounts, readAmount, readMoney, subtracted, typedAmount } from './amount.ts';

describe('an amount that a person types', () => {
  it.each([
    ['en', '20', '20.00'],
    ['en', '20.5', '20.50'],
    ['en', '1,299.90', '1299.90'],
    ['en', '20,50', '20.50'],
    ['en', '1,299', '1299.00'],
    ['pt-BR', '1.299,90', '1299.90'],
    ['pt-BR', '1.299', '1299.00'],
    ['pt-BR', '20.50', '20.50'],
    ['pt-BR', ' 20,5 ', '20.50'],
    ['en', '007', '7.00'],
  ])('is read in %s: %s', (locale, typed, amount) => expect(readAmount(typed, locale)).toBe(amount));

  it.each([
    ['en', ''],
    ['en', '-5'],
    ['en', '1.2.3'],
    ['en', '1,29,90'],
    ['en', '1e3'],
    ['en', 'R$20'],
    ['pt-BR', '1.2990'],
    ['en', '20.'],
  ])('is refused when it is invalid or ambiguous in %s: %j', (locale, typed) =>
    expect(readAmount(typed, locale)).toBeUndefined(),
  );

  it.each([
    ['en', 'BRL', 'R$ 20.00', '20.00'],
    ['pt-BR', 'BRL', 'R$\u00a01.299,90', '1299.90'],
    ['en', 'MXN', '$20', '20.00'],
    ['en', 'JPY', '500 jpy', '500.00'],
    ['en', 'BRL', 'US$20', undefined],
    ['en', 'BRL', 'EUR 20', undefined],
  ])('may have the sign of its own currency in %s: %s %s', (locale, currency, typed, amount) =>
    expect(readAmount(typed, locale, currency)).toBe(amount),
  );

  it('is prefilled as the locale writes it', () => {
    expect([typedAmount('129.90', 'en'), typedAmount('129.90', 'pt-BR')]).toEqual(['129.90', '129,90']);
  });
});

describe('an amount that is searched for', () => {
  it.each([
    ['en', '478.90', { amount: '478.90' }],
    ['en', 'R$478,90', { amount: '478.90', currency: 'BRL' }],
    ['pt-BR', 'R$478.90', { amount: '478.90', currency: 'BRL' }],
    ['pt-BR', 'R$\u00a01.478,90', { amount: '1478.90', currency: 'BRL' }],
    ['pt-BR', '$1,478.90', { amount: '1478.90', currency: 'USD' }],
    ['en', 'US$ 5', { amount: '5.00', currency: 'USD' }],
    ['en', '5 mxn', { amount: '5.00', currency: 'MXN' }],
    ['en', 'xxq5', { wrong: 'currency' }],
    ['en', 'five', { wrong: 'amount' }],
    ['en', '-5', { wrong: 'amount' }],
  ])('is read in %s with its currency: %s', (locale, typed, read) => expect(readMoney(typed, locale)).toEqual(read));
});

describe('amounts', () => {
  it('are subtracted without a rounding', () => {
    expect(subtracted('129.90', '109.90')).toBe('20.00');
    expect(subtracted('100000000000000.01', '0.005')).toBe('100000000000000.005');
    expect(subtracted('1.00', '1')).toBe('0.00');
  });

  it('are compared by value', () => {
    expect(compareAmounts('9.90', '10')).toBe(-1);
    expect(compareAmounts('10.0', '10')).toBe(0);
    expect(compareAmounts('100000000000000.01', '100000000000000.00')).toBe(1);
  });
});
