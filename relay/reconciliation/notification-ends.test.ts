import { describe, expect, it, vi } from 'vitest';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import { approvedBy, HOUR, record, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import type { WaitingNotification } from '../store/facets/notifications.ts';
import {
  endByOwnQuery,
  endNotifications,
  isShownIn,
  notificationsBefore,
  waitingBeside,
  withinLimit,
} from './notification-ends.ts';

/** A relay with a session of the order A, and notifications about it. */
async function setUp() {
  const relay = await setUpResolving();
  const { context } = relay;
  const session = await relay.session('A');
  let count = 0;
  const notify = async (
    notice: Partial<WaitingNotification['notice']> = {},
    subject = session.id,
    received_at = context.now().toISOString(),
  ): Promise<WaitingNotification> => {
    count += 1;
    const sha256 = String(count).padStart(4, '0');
    const whole = { verified: false, fields: { status: 'x' }, orders: ['A'], trades: [], ...notice };
    await context.store.notifications.add({
      ...{ kind: 'payment', subject, account: 'demo', bytes: 10, sha256, fields: {}, received_at },
      waiting: { notice: whole, due_at: received_at },
    });
    return { subject, account: 'demo', received_at, sha256, notice: whole };
  };
  const waiting = async () =>
    (await context.store.notifications.listWaiting([session.id], 999)).map(({ sha256 }) => sha256);
  return {
    ...{ ...relay, sessionA: session, notify, waiting },
    order: (change: object = {}) => relay.orderOf(session).then((order) => ({ ...order, ...change })),
    told: async () => (await relay.webhooks(session)).filter(({ type }) => type === 'notification.received'),
    reported: (result: string) => relay.metric(`turnpike_notifications_told_total{result="${result}"}`),
  };
}

describe('a query', () => {
  it.each([
    ['a second before the query', -SECOND, 1],
    ['as the query began', 0, 1],
    ['while the query ran', SECOND, 0],
    ['by a clock that was ahead', HOUR, 1],
  ])('ends, or leaves, what came %s', async (_, ms, count) => {
    const { context, notify, order, pass, sessionA } = await setUp();
    const begun = context.now();
    await notify({}, sessionA.id, new Date(begun.getTime() + ms).toISOString());
    pass(2 * SECOND);
    expect(await notificationsBefore(context, await order({ notices: 1 }), begun)).toHaveLength(count);
  });

  it('reads notifications only if the order has some', async () => {
    const { context, order } = await setUp();
    context.store.notifications.listWaiting = () => Promise.reject(new Error('looked for'));
    expect(await notificationsBefore(context, await order({ notices: 0 }), context.now())).toEqual([]);
    await expect(notificationsBefore(context, await order({ notices: 1 }), context.now())).rejects.toThrow(
      'looked for',
    );
  });
});

it('a notification is shown once all that it names is', async () => {
  const { notify } = await setUp();
  const isShown = isShownIn([record('A', 'T-1', '3000'), record('B', 'T-2', '3000')]);
  expect(isShown(await notify({ orders: ['A'], trades: ['T-2'] }))).toBe(true);
  expect(isShown(await notify({ orders: [], trades: [] }))).toBe(true);
  expect(isShown(await notify({ orders: ['A', 'C'], trades: [] }))).toBe(false);
  expect(isShown(await notify({ orders: ['A'], trades: ['T-3'] }))).toBe(false);
});

describe('the limit of an hour', () => {
  it('leaves room for sixty of each kind, the earliest first', async () => {
    const { context, notify, pass } = await setUp();
    const notices: WaitingNotification[] = [];
    for (let n = 0; n < 62; n++, pass(1)) notices.push(await notify());
    const signed = await notify({ verified: true });
    expect(
      [...(await withinLimit(context, [...notices.toReversed(), signed]))].map(({ sha256 }) => sha256).sort(),
    ).toEqual([...notices.slice(0, 60), signed].map(({ sha256 }) => sha256));
    context.store.notifications.countReported = () => Promise.reject(new Error('looked for'));
    expect(await withinLimit(context, [])).toEqual(new Set());
  });

  it('counts reports within the hour, and those waiting before', async () => {
    const { context, notify, pass, waiting } = await setUp();
    const first: WaitingNotification[] = [];
    for (let n = 0; n < 59; n++) first.push(await notify());
    await endNotifications(
      context,
      first.map((one) => ({ waiting: one, order: undefined, records: [] })),
    );
    pass(HOUR - 2);
    const beside = await notify();
    pass(1);
    const [one, other] = [await notify(), await notify({}, 'cs_other')];
    expect(await waiting()).toEqual([beside.sha256, one.sha256]);
    expect(await withinLimit(context, [one])).toEqual(new Set([one]));
    // What is asked about itself is not also counted as waiting before.
    expect(await withinLimit(context, [one], [one])).toEqual(new Set([one]));
    expect(await withinLimit(context, [one, other], [beside])).toEqual(new Set([other]));
    expect(await withinLimit(context, [beside, one], [])).toEqual(new Set([beside]));
    pass(1);
    expect(await withinLimit(context, [one], [beside])).toEqual(new Set([one]));
  });

  it('counts what waits of the same subjects', async () => {
    const { context, notify } = await setUp();
    const [one, two, other] = [await notify(), await notify(), await notify({}, 'cs_other')];
    await notify({}, 'cs_third');
    expect(await waitingBeside(context, [one, two])).toEqual([one, two]);
    expect(await waitingBeside(context, [one, other])).toEqual([one, two, other]);
  });
});

describe('a notification that ends', () => {
  const end = (
    waiting: WaitingNotification,
    records: OrderRecord[],
    order?: Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>['order']>>,
  ) => ({
    ...{ waiting, records, order },
  });

  it('is reported with the records of what it names', async () => {
    const { context, notify, told, waiting, order, reported, sessionA } = await setUp();
    const records = [record('A', 'T-1', '3000'), record('A', 'T-2', '3000')];
    const one = await notify({ trades: ['T-2'], fields: { note: 'n' }, verified: true });
    let woken = '';
    const { delivery } = context.wakeUps;
    context.wakeUps.delivery = (account, endpoint) => {
      woken += account;
      return delivery(account, endpoint);
    };
    await endNotifications(context, [end(one, records, await order())]);
    expect(await told()).toMatchObject([
      { data: { session_id: sessionA.id, verified: true, fields: { note: 'n' }, records: [records[1]] } },
    ]);
    expect(woken).toBe('demo');
    expect(await waiting()).toEqual([]);
    expect([await reported('told'), await reported('limited'), await reported('known')]).toEqual([1, 0, 0]);
  });

  it('is reported with at most a hundred records if unnamed', async () => {
    const { context, notify, told } = await setUp();
    const records = Array.from({ length: 101 }, (_, n) => record('B', `T-${n}`, '3000'));
    await endNotifications(context, [end(await notify({ trades: ['X'] }), records)]);
    expect((await told())[0]?.data.records).toEqual(records.slice(0, 100));
  });

  it('that repeats the session’s event is not reported', async () => {
    const { context, pay, sessionA, notify, order, told, reported, waiting } = await setUp();
    await pay(sessionA, approvedBy('T-1'));
    const records = [record('A', 'T-1', '3000')];
    const delivery = vi.spyOn(context.wakeUps, 'delivery');
    await endNotifications(context, [end(await notify({ trades: ['T-1'] }), records, await order())]);
    expect(await told()).toEqual([]);
    expect(delivery).not.toHaveBeenCalled();
    expect(await waiting()).toEqual([]);
    expect(await reported('known')).toBe(1);
    // Without its order the session's last status is unknown.
    await endNotifications(context, [end(await notify({ trades: ['T-1'] }), records)]);
    expect(await told()).toHaveLength(1);
  });

  it('over the limit is logged, not reported', async () => {
    const { context, notify, told, logged, reported, waiting, pass, sessionA } = await setUp();
    await endNotifications(context, [end(await notify(), [])], 1);
    pass(HOUR - 1);
    await endNotifications(context, [end(await notify(), []), end(await notify({ verified: true }), [])], 1);
    expect((await told()).map(({ data }) => data.verified)).toEqual([false, true]);
    expect(logged('too many notifications').map((line) => JSON.parse(line))).toMatchObject([
      { session: sessionA.id, count: 1, msg: 'too many notifications; some are not reported' },
    ]);
    expect(await reported('limited')).toBe(1);
    expect(await waiting()).toEqual([]);
    pass(1);
    await endNotifications(context, [end(await notify(), [])], 1);
    expect(await told()).toHaveLength(3);
  });
});

describe('the order’s own query', () => {
  it('ends what it shows', async () => {
    const { context, notify, order, waiting, told } = await setUp();
    const shown = await notify({ trades: ['T-1'] });
    const unshown = await notify({ orders: ['A'], trades: [] });
    await endByOwnQuery(
      context,
      await order({ repeats: { since: '', next_at: '' } }),
      [shown],
      [record('A', 'T-1', '3000')],
    );
    expect(await waiting()).toEqual([unshown.sha256]);
    expect(await told()).toHaveLength(1);
  });

  it('leaves what it does not show while it is repeated', async () => {
    const { context, notify, order, waiting } = await setUp();
    const one = await notify();
    await endByOwnQuery(context, await order({ repeats: { since: '', next_at: '' } }), [one], []);
    expect(await waiting()).toEqual([one.sha256]);
    await endByOwnQuery(context, await order(), [one], []);
    expect(await waiting()).toEqual([]);
  });

  it('leaves what names something else to the poller, which is woken', async () => {
    const { context, notify, order, pass } = await setUp();
    const due = async () =>
      (
        await context.store.notifications.leaseDue(
          { now: context.now().toISOString(), until: context.now().toISOString(), limit: 9 },
          ['demo'],
        )
      ).length;
    const wake = vi.spyOn(context.wakeUps.notices, 'wake');
    await endByOwnQuery(context, await order(), [await notify({ trades: ['T-1'] })], [record('A', 'T-1', '3000')]);
    expect(wake).not.toHaveBeenCalled();
    const others = [await notify({ orders: ['A', 'B'] }), await notify({ trades: ['T-9'] })];
    await context.store.notifications.delay(
      others,
      new Date(context.now().getTime() + HOUR).toISOString(),
      context.now().toISOString(),
    );
    expect(await due()).toBe(0);
    pass(SECOND);
    await endByOwnQuery(context, await order(), others, [record('A', 'T-1', '3000')]);
    expect(wake).toHaveBeenCalledOnce();
    expect(await due()).toBe(2);
  });
});
