import { expect, it } from 'vitest';
import { testContext } from '../../test/support/context.ts';
import { afterRefundSearch } from '../payments/operations/after-refund-search.ts';
import type { Operation } from '../payments/operations/operation.ts';
import { settle } from './settle.ts';

const since = '2026-11-21T09:00:00.000Z';

it('a settlement stands though a poll wrote the operation meanwhile', async () => {
  const context = await testContext();
  const refund: Operation = {
    id: 'op_1',
    account: 'demo',
    name: 'refund',
    created_at: since,
    version: 1,
    request: { refund_orders: [{}] },
    state: { status: 'unknown', reason: 'timeout', since, evidence: {} },
    lookup: { before: [], asked_at: since, looks: 0 },
  };
  await context.store.beginOperation(refund, []);
  const looked = afterRefundSearch(refund, { kind: 'absent' }, new Date(since), context.config.resolve);
  expect(await context.store.finishOperation({ operation: looked, events: [] })).toBe(true);
  const settled = await settle(context, refund, { outcome: 'succeeded', note: 'card 4111111111111111 seen' }, 'ops');
  expect(JSON.stringify(settled)).not.toContain('4111111111111111');
  expect(settled).toMatchObject({
    version: 3,
    state: {
      status: 'settled',
      settlement: { who: 'ops', items: ['succeeded'], note: expect.stringMatching(/ seen$/) },
    },
  });
  expect(await context.store.operation('op_1')).toEqual(settled);
  await expect(settle(context, refund, { outcome: 'failed' }, 'ops')).rejects.toMatchObject({
    code: 'operation_not_unknown',
  });
  await context.store.close();
});
