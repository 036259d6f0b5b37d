import { expect, it } from 'vitest';
import { emptyCodes } from '../../gateway/code-book.ts';
import { afterLateAnswer } from './late-answer.ts';
import type { Operation } from './operation.ts';

const since = '2026-11-21T09:00:00.000Z';

it('an answer that comes late and tells nothing leaves the search as far as it has come', () => {
  const read: Operation = {
    id: 'op_1',
    account: 'demo',
    name: 'refund',
    created_at: since,
    version: 2,
    request: {},
    state: { status: 'unknown', reason: 'timeout', since, evidence: {} },
    lookup: { before: [], asked_at: since, looks: 0 },
  };
  const looked = { before: [], asked_at: since, looks: 7, next_look_at: '2026-11-21T10:00:00.000Z' };
  const current: Operation = { ...read, version: 9, state: { ...read.state }, lookup: looked };
  expect(afterLateAnswer(current, read, emptyCodes)).toMatchObject({ version: 10, lookup: looked });
});
