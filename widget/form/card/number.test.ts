import { describe, expect, it, vi } from 'vitest';
import './brand-table.ts';
import { formatNumber } from './number.ts';
import { numberProblem } from './problems.ts';

describe('formatNumber groups a number as its brand prints it', () => {
  it.each([
    ['4111111111111111', '4111 1111 1111 1111'],
    ['378282246310005', '3782 822463 10005'],
    ['36227206271667', '3622 720627 1667'],
    ['6200000000000000003', '6200 0000 0000 0000 003'],
    ['4111', '4111'],
    ['41111', '4111 1'],
    ['', ''],
  ])('%s becomes %s', (typed, shown) => expect(formatNumber(typed)).toBe(shown));

  it.each([
    ['spaces and dashes', ' 4111-1111 1111—1111 '],
    ['spaces that do not break', '4111\u00a01111\u202f1111\u00a01111'],
    ['marks of direction', '\u202a4111 1111 1111 1111\u202c'],
    ['dots', '4111.1111.1111.1111'],
    ['full-width digits', '４１１１　１１１１　１１１１　１１１１'],
    ['Arabic digits', '٤١١١ ١١١١ ١١١١ ١١١١'],
    ['Persian digits', '۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱'],
    ['Thai digits', '๔๑๑๑ ๑๑๑๑ ๑๑๑๑ ๑๑๑๑'],
    ['Hindi digits', '४१११ ११११ ११११ ११११'],
    ['words before it', 'Card: 4111 1111 1111 1111'],
    ['another number before and words after it', 'Card 2: 4111 1111 1111 1111, exp. 12/30, code 737'],
  ])('takes a pasted number with %s', (_, pasted) => expect(formatNumber(pasted)).toBe('4111 1111 1111 1111'));

  it('takes the first of two numbers', () => {
    expect(formatNumber('4111111111111111 5555555555554444')).toBe('4111 1111 1111 1111');
    expect(formatNumber('3782822463100054111111111111111')).toBe('3782 822463 10005');
  });

  it('cuts digits beyond the brand’s longest number', () => {
    expect(formatNumber('37828224631000512')).toBe('3782 822463 10005');
    expect(formatNumber('5555555555554440000')).toBe('5555 5555 5555 4440');
  });

  it('groups in fours while the brand is not known', () => {
    expect(formatNumber('9999999999999999999')).toBe('9999 9999 9999 9999 999');
  });

  it('changes the groups once the brand changes', () => {
    expect(formatNumber('3582 8224')).toBe('3582 8224');
    expect(formatNumber('3782 8224')).toBe('3782 8224');
    expect(formatNumber('3782 8224 6')).toBe('3782 82246');
  });
});

it('groups digits in the same way before the brands are known', async () => {
  vi.resetModules();
  const early = await import('./number.ts');
  const prefixes = Array.from({ length: 1000 }, (_, index) => String(3000 + index));
  for (const prefix of ['4111', '5555', '6062', '2131', ...prefixes]) {
    const typed = `${prefix}0000000000`;
    expect(early.formatNumber(typed)).toBe(formatNumber(typed));
  }
});

describe('numberProblem', () => {
  it.each([
    ['Visa', '4111111111111111'],
    ['Visa with nineteen digits', '4988438843884305001'],
    ['Mastercard', '5555555555554444'],
    ['Mastercard of the 2 series', '2223000048410010'],
    ['American Express', '378282246310005'],
    ['Diners Club', '36227206271667'],
    ['Diners Club with sixteen digits', '3056930009020004'],
    ['Discover', '6011111111111117'],
    ['JCB', '3530111333300000'],
    ['UnionPay', '6200000000000005'],
    ['UnionPay with nineteen digits', '6205500000000000004'],
    ['Maestro', '6759649826438453'],
    ['Maestro with twelve digits', '500000000009'],
    ['Maestro with nineteen digits', '6799990100000000019'],
    ['Elo', '6362970000457013'],
    ['Hipercard', '6062826786276634'],
    ['Mir', '2200000000000004'],
    ['Troy', '9792030000000000'],
    ['Verve', '5061460410120223210'],
    ['RuPay, which the table does not know', '8265000000000003'],
  ])('accepts %s', (_, number) => expect(numberProblem(number)).toBeUndefined());

  it.each([
    ['UnionPay', '6200000000000006'],
    ['Hipercard', '6062826786276635'],
    ['Hiper', '6370950000000000'],
    ['Naranja', '5895620000000000'],
    ['Maestro of Argentina', '5010800000000001'],
    ['Maestro’s look-alikes of Uruguay', '6019330000000000'],
  ])('asks no check digit of %s', (_, number) => expect(numberProblem(number)).toBeUndefined());

  it('asks for a number that is missing', () => {
    expect(numberProblem('')).toBe('number_missing');
    expect(numberProblem('card')).toBe('number_missing');
  });

  it('distinguishes numbers that are too short, too long or mistyped', () => {
    expect(numberProblem('4111 1111 1111 111')).toBe('number_incomplete');
    expect(numberProblem('3782 822463 1000')).toBe('number_incomplete');
    expect(numberProblem('4111 1111 1111 1111 1')).toBe('number_too_long');
    expect(numberProblem('4111 1111 1111 1112')).toBe('number_invalid');
    expect(numberProblem('3782 822463 10006')).toBe('number_invalid');
  });

  it('checks the length also of brands without a check digit', () => {
    expect(numberProblem('606282678627663')).toBe('number_incomplete');
    expect(numberProblem('6200000000000')).toBe('number_incomplete');
  });

  it('checks an unknown brand by its length and check digit', () => {
    expect(numberProblem('9999999999999995')).toBeUndefined();
    expect(numberProblem('9999999999999999')).toBe('number_invalid');
    expect(numberProblem('99999999999')).toBe('number_incomplete');
  });

  it('reads the digits of other scripts', () => expect(numberProblem('٤١١١١١١١١١١١١١١١')).toBeUndefined());
});
