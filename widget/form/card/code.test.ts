import { expect, it } from 'vitest';
import './brand-table.ts';
import { certainBrand } from './brands.ts';
import { codeOf, formatCode } from './number.ts';
import { codeProblem } from './problems.ts';

it('knows each brand’s name and length of the security code', () => {
  expect(codeOf(certainBrand('4111'))).toEqual({ name: 'CVV', size: 3, certain: true });
  expect(codeOf(certainBrand('3782'))).toEqual({ name: 'CID', size: 4, certain: true });
  expect(codeOf(certainBrand('5555'))).toEqual({ name: 'CVC', size: 3, certain: true });
});

it('checks a code by its brand', () => {
  const amex = codeOf(certainBrand('3782'));
  expect(codeProblem('7373', amex)).toBeUndefined();
  expect(codeProblem('737', amex)).toBe('code_invalid');
  expect(codeProblem('', amex)).toBe('code_missing');
});

it('accepts either length while the brand is not known', () => {
  const unknown = codeOf(undefined);
  expect(codeProblem('737', unknown)).toBeUndefined();
  expect(codeProblem('7373', unknown)).toBeUndefined();
  expect(codeProblem('73', unknown)).toBe('code_invalid');
});

it('keeps digits only, at most as many as the code has', () => {
  expect(formatCode(' 7-3 7 ', 3)).toBe('737');
  expect(formatCode(' 737', 3)).toBe('737');
  expect(formatCode('73737', 4)).toBe('7373');
  expect(formatCode('７３７', 3)).toBe('737');
});
