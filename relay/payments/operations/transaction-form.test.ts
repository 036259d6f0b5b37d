import { expect, it } from 'vitest';
import { otherForm } from './transaction-form.ts';

const ZERO_WIDTH = '\u200b';

it.each<[string, string[], string[], object | undefined]>([
  ['a known one', ['T-1'], ['T-1'], undefined],
  ['one that is not known', ['T-2'], [], undefined],
  ['another case', ['U', 't-1'], ['T-1'], { item: 1, known: 'T-1' }],
  ['a blank', ['T -1'], ['T-1'], { item: 0, known: 'T-1' }],
  ['an invisible character', [`T-1${ZERO_WIDTH}`], ['T-1'], { item: 0, known: 'T-1' }],
  ['a plain one of a known one with a blank', ['T1'], ['T 1'], { item: 0, known: 'T 1' }],
  ['two known ones', ['T-1', 't-1'], ['t-1', 'T-1'], undefined],
  ['two spellings in one batch', ['T-1', 't-1'], [], { item: 1, known: 'T-1' }],
  ['the same one twice', ['T-1', 'T-1'], [], undefined],
])('of a transaction_id distinguishes another spelling: %s', (_, items, known, found) => {
  expect(otherForm(items, known)).toEqual(found);
});
