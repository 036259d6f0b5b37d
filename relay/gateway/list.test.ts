import { describe, expect, it } from 'vitest';
import { unlistable } from './wire-forms.ts';

describe('a list in one text', () => {
  it.each([
    [['A', 'B'], ',', -1],
    [['A,B', 'C'], ',', 0],
    [['A', 'B,'], ',', 1],
    [['A|', 'B'], '||', 0],
    [['A|', '|B'], '||', 0],
    [['A', 'B|'], '||', -1],
    [['A|B', 'C'], '||', -1],
    [[], ',', -1],
  ])('%j with %j cannot take entry %i', (entries, separator, at) => {
    expect(unlistable(entries, separator)).toBe(at);
  });
});
