import { expect, it } from 'vitest';
import { HOUR, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import { noticesBefore } from './notices.ts';

it.each([
  ['a second before the query', -SECOND, 1],
  ['while the query ran', SECOND, 0],
  ['by a clock that was ahead', HOUR, 1],
])('a query ends, or leaves, what came %s', async (_, ms, count) => {
  const { context, session, pass } = await setUpResolving();
  const { id } = await session('A');
  const begun = context.now();
  const received_at = new Date(begun.getTime() + ms).toISOString();
  await context.store.addNotification({
    ...{ kind: 'payment', subject: id, account: 'demo', bytes: 10, sha256: 'a', fields: {}, received_at },
    waiting: { notice: { verified: false, fields: {}, orders: ['A'], trades: [] }, due_at: received_at },
  });
  pass(2 * SECOND);
  const order = { ...(await context.store.order('demo', 'A')), notices: 1 };
  expect(await noticesBefore(context, order, begun)).toHaveLength(count);
});
