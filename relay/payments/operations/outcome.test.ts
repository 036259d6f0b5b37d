import { expect, it } from 'vitest';
import { since, unknownRefund } from '../../../test/support/payments/operations.ts';
import { emptyCodes } from '../../gateway/code-book.ts';
import type { Operation } from './operation.ts';
import { afterLateAnswer } from './outcome.ts';

it('a late answer without an outcome keeps the search as it is', () => {
  const read = unknownRefund();
  const searched = { before: [], asked_at: since, looks: 7, next_look_at: '2026-11-21T10:00:00.000Z' };
  const current: Operation = { ...read, version: 9, state: { ...read.state }, lookup: searched };
  expect(afterLateAnswer(current, read, emptyCodes, since)).toMatchObject({ version: 10, lookup: searched });
});
