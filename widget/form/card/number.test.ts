import { describe, expect, it } from 'vitest';
import { certainBrand, likelyBrand } from './brands.ts';
import { formatNumber, numberProblem } from './number.ts';

const format = (text: string) => formatNumber(text, likelyBrand(text.replace(/\D/g, '')));
const problem = (text: string) => numberProblem(text, likelyBrand(text.replace(/\D/g, '')));

describe('formatNumber groups a number as its brand prints it', () => {
  it.each([
    ['4111111111111111', '4111 1111 1111 1111'],
    ['378282246310005', '3782 822463 10005'],
    ['36227206271667', '3622 720627 1667'],
    ['6200000000000000003', '6200 0000 0000 0000 003'],
    ['4111', '4111'],
    ['41111', '4111 1'],
    ['', ''],
  ])('%s becomes %s', (typed, shown) => expect(format(typed)).toBe(shown));

  it('accepts pasted spaces and dashes', () => {
    expect(format(' 4111-1111 1111—1111 ')).toBe('4111 1111 1111 1111');
  });

  it('cuts what no card of the brand has', () => {
    expect(format('3782822463100051234')).toBe('3782 822463 10005');
  });

  it('groups in fours while the brands are not known', () => {
    expect(formatNumber('378282246310005')).toBe('3782 8224 6310 005');
  });
});

describe('numberProblem', () => {
  it.each(['4111111111111111', '5555555555554444', '378282246310005', '6362970000457013', '6062826786276634'])(
    'accepts %s',
    (number) => expect(problem(number)).toBeUndefined(),
  );
  it('asks for a number that is missing', () => expect(problem('')).toBe('number_missing'));
  it('tells an incomplete number from a wrong one', () => {
    expect(problem('4111 1111 1111 111')).toBe('number_incomplete');
    expect(problem('4111 1111 1111 1112')).toBe('number_invalid');
  });
  it('asks no check digit of brands and ranges that have none', () => {
    expect(problem('6200000000000006')).toBeUndefined();
    expect(problem('6062826786276635')).toBeUndefined();
    expect(problem('5010800000000001')).toBeUndefined();
  });
  it('checks an unknown brand by its length and check digit', () => {
    expect(numberProblem('4111111111111111')).toBeUndefined();
    expect(numberProblem('4111111111111112')).toBe('number_invalid');
    expect(numberProblem('41111111111')).toBe('number_incomplete');
  });
});

describe('brands', () => {
  it.each([
    ['41', 'visa'],
    ['55', 'mastercard'],
    ['34', 'american-express'],
    ['506699', 'elo'],
    ['606282', 'hipercard'],
  ])('%s is %s', (digits, id) => expect(certainBrand(digits)?.id).toBe(id));
  it('names no brand while several are possible', () => {
    expect(certainBrand('4')).toBeUndefined();
    expect(certainBrand('')).toBeUndefined();
  });
});
