import { expect, it } from 'vitest';
import { since, unknownRefund } from '../../test/support/payments/operations.ts';
import { auditAs } from '../../test/support/relays/audit.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { afterRefundSearch } from '../payments/operations/after-refund-search.ts';
import { momentOf } from '../store/context.ts';
import { settle } from './settle.ts';

it('a settlement survives a concurrent write by a poll', async () => {
  const context = await testContext();
  const refund = unknownRefund({ version: 1, request: { refund_orders: [{}] } });
  await context.store.beginOperation(refund, []);
  const searched = afterRefundSearch(
    refund,
    { kind: 'undecided' },
    momentOf(context),
    new Date(since),
    context.config.resolve,
  );
  expect(await context.store.finishOperation({ operation: searched, events: [] })).toBe(true);
  const settled = await settle(
    context,
    refund,
    { outcome: 'succeeded', note: 'card 4111111111111111 seen' },
    auditAs('ops'),
  );
  expect(JSON.stringify(settled)).not.toContain('4111111111111111');
  expect(settled).toMatchObject({
    version: 3,
    state: {
      status: 'settled',
      settlement: { who: 'ops', items: ['succeeded'], note: expect.stringMatching(/ seen$/) },
    },
  });
  expect(await context.store.operation('op_1')).toEqual(settled);
  await expect(settle(context, refund, { outcome: 'failed' }, auditAs('ops'))).rejects.toMatchObject({
    code: 'operation_not_unknown',
  });
  await context.store.close();
});
