import { expect, it } from 'vitest';
import { passesLuhn } from './luhn.ts';

it('notices one wrong digit and two swapped ones', () => {
  expect(passesLuhn('79927398713')).toBe(true);
  expect(passesLuhn('79927398710')).toBe(false);
  expect(passesLuhn('79927398731')).toBe(false);
});

it('passes nothing that is empty', () => expect(passesLuhn('')).toBe(false));
