import { expect, it } from 'vitest';
import { remembered } from './remembered.ts';

it('a remembered function makes each value once, and forgets at its limit', () => {
  const made: string[] = [];
  const upper = remembered((text: string) => {
    made.push(text);
    return text.toUpperCase();
  }, 2);
  expect(['a', 'a', 'b', 'a', 'c', 'c', 'a'].map(upper)).toEqual(['A', 'A', 'B', 'A', 'C', 'C', 'A']);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});
