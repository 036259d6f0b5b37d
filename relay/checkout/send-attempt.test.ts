import { describe, expect, it, onTestFinished } from 'vitest';
import { approvedBy, HOUR, MINUTE, record, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import { card as testCard } from '../../test/support/relays/relay.ts';
import { StoreError } from '../base/errors.ts';
import type { Context } from '../context/context.ts';
import type { CallResult } from '../gateway/call.ts';
import { startLateWrites } from '../reconciliation/late-writes.ts';
import { recordUnsent } from '../reconciliation/unsent.ts';
import type { Store } from '../store/store.ts';
import { pay } from './pay.ts';

const card = { ...testCard, device: {} };
const facts = { user_agent: '', accept: '', accept_language: '', shopper_ip: '' };

/** The gateway's answer to a payment of the order A. */
function answered(order_status: string, result_info: string): CallResult {
  const order = { merchant_id: '100001', account_id: '200001', order_no: 'A', amount: '10.00', currency: 'BRL' };
  return {
    kind: 'answer',
    message: { ...order, transaction_id: 'T1', order_status, result_info },
    evidence: () => ({}),
  };
}
const approval = answered('1', '0000:Success');
const decline = answered('0', '2001:no');

/** A relay that pays the order A, and counts what it sends. */
async function setUp(config: object = {}) {
  const relay = await setUpResolving(config);
  const session = await relay.session('A');
  const sent: unknown[] = [];
  const query = relay.context.call;
  const gateway: { answer: () => Promise<CallResult> } = { answer: async () => approval };
  relay.context.call = (name, ...rest) => {
    if (name === 'query') return query(name, ...rest);
    sent.push(name);
    return gateway.answer();
  };
  const click = async (context: Context = relay.context, hasHungUp = () => false, of = session) => {
    const request = {
      order: await relay.orderOf(of),
      session: await relay.stored(of.id),
      account: relay.account,
      body: card,
      facts,
      hasHungUp,
    };
    return pay(context, { ...request, deviceId: 'dv_1' });
  };
  /** A relay whose store makes an attempt durable after this delay, and calls `meanwhile` during it. */
  const slow = (ms: number, meanwhile: () => Promise<void> = async () => undefined): Context => {
    const { store } = relay.context;
    let isSlow = true;
    const write: Store['orders']['write'] = async (one) => {
      const written = await store.orders.write(one);
      if (!isSlow) return written;
      isSlow = false;
      relay.pass(ms);
      await meanwhile();
      return written;
    };
    return { ...relay.context, store: { ...store, orders: { ...store.orders, write } } };
  };
  return { ...relay, makeSession: relay.session, session, sent, gateway, click, slow };
}

describe('an attempt that is durable', () => {
  it('is sent after four seconds, and not later', async () => {
    const prompt = await setUp();
    expect(await prompt.click(prompt.slow(4 * SECOND))).toMatchObject({ status: 'approved' });
    expect(prompt.context.begunLately.size).toBe(0);

    const { session, sent, click, slow, truth } = await setUp();
    await expect(click(slow(4 * SECOND + 1))).rejects.toMatchObject({ code: 'gateway_unreachable' });
    expect(sent).toEqual([]);
    expect(await truth(session)).toMatchObject({ status: 'open', attempts: [{ status: 'not_sent' }] });
    expect(await click()).toMatchObject({ status: 'approved' });
    expect(sent).toHaveLength(1);
  });

  it('is not sent for a payer who hung up during its write', async () => {
    const { session, sent, click, slow, truth } = await setUp();
    let isGone = false;
    const hangUp = async (): Promise<void> => {
      isGone = true;
    };
    await expect(click(slow(SECOND, hangUp), () => isGone)).rejects.toMatchObject({ code: 'gateway_unreachable' });
    expect(sent).toEqual([]);
    expect(await truth(session)).toMatchObject({ status: 'open', attempts: [{ status: 'not_sent' }] });
    expect(await click()).toMatchObject({ status: 'approved' });
  });

  it('is not sent after another relay took it over', async () => {
    const { session, sent, click, slow, poll, truth } = await setUp();
    await expect(click(slow(MINUTE, poll))).rejects.toMatchObject({ code: 'gateway_unreachable' });
    expect(sent).toEqual([]);
    // Who took it over need not wait: it is known that nothing was sent.
    expect(await truth(session)).toMatchObject({ status: 'open', attempts: [{ status: 'not_sent' }] });
  });

  it('is not sent after another attempt has paid its order', async () => {
    const { session, sent, click, slow, pass, poll, pay: payElsewhere, truth } = await setUp();
    const meanwhile = async (): Promise<void> => {
      await poll();
      for (let polls = 0; polls < 4; polls++) {
        pass(5 * MINUTE);
        await poll();
      }
      await payElsewhere(session, approvedBy('T2'));
    };
    expect(await click(slow(HOUR, meanwhile))).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    expect(sent).toEqual([]);
    expect(await truth(session)).toMatchObject({ status: 'approved', transaction_id: 'T2' });
  });

  it('is not sent after a query found its order paid', async () => {
    const { session, sent, click, slow, books, reconcile, truth } = await setUp();
    const meanwhile = async (): Promise<void> => {
      books.records = [record('A', 'T2', '3000')];
      await reconcile(session);
    };
    expect(await click(slow(SECOND, meanwhile))).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    expect(sent).toEqual([]);
    expect(await truth(session)).toMatchObject({ status: 'approved', transaction_id: 'T2' });
  });

  it.each([
    ['of an unlisted status', record('A', 'T2', '7777')],
    ['of another amount', record('A', 'T2', '3000', { amount: '7.00' })],
  ])('is not sent after a query found a record %s', async (_, found) => {
    const { session, sent, click, slow, books, reconcile } = await setUp();
    const meanwhile = async (): Promise<void> => {
      books.records = [found];
      await reconcile(session);
    };
    await expect(click(slow(SECOND, meanwhile))).rejects.toMatchObject({ code: 'order_in_progress' });
    expect(sent).toEqual([]);
  });

  it('is not sent if its order was paid meanwhile', async () => {
    const { context, session, sent, click, slow, pass, books, reconcile } = await setUp();
    const late = slow(SECOND);
    const { get } = context.store.orders;
    let isSlow = true;
    const getSlowly: Store['orders']['get'] = async (account, orderNo) => {
      const order = await get(account, orderNo);
      if (!isSlow || order.attempts.length === 0) return order;
      isSlow = false;
      books.records = [record('A', 'T2', '3000')];
      await reconcile(session);
      pass(200);
      return order;
    };
    const store = { ...late.store, orders: { ...late.store.orders, get: getSlowly } };
    expect(await click({ ...late, store })).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    expect(sent).toEqual([]);
  });
});

describe('an answer that comes after the attempt was taken over', () => {
  /** The answer to an attempt that another relay asks about meanwhile. */
  async function late(called: CallResult) {
    const relay = await setUp();
    relay.gateway.answer = async () => {
      relay.pass(MINUTE);
      await relay.poll();
      expect(await relay.truth(relay.session)).toMatchObject({
        status: 'unknown',
        unknown: { reason: 'relay_stopped' },
      });
      return called;
    };
    return { ...relay, answer: await relay.click() };
  }

  it('settles it as a query would, with one webhook', async () => {
    const paid = await late(approval);
    expect(paid.answer).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(await paid.truth(paid.session)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect((await paid.webhooks(paid.session)).map(({ type }) => type)).toEqual([
      'session.unknown',
      'session.approved',
    ]);
    expect(await paid.metric('turnpike_payments_total{operation="direct_payment",outcome="approved",reason=""}')).toBe(
      1,
    );

    const declined = await late(decline);
    expect(declined.answer).toMatchObject({ status: 'declined' });
    expect(await declined.truth(declined.session)).toMatchObject({ status: 'open' });
  });

  it('changes nothing where it proves nothing', async () => {
    const none = await late({ kind: 'unusable', fault: 'timeout', evidence: {} });
    expect(none.answer).toEqual({ status: 'unknown' });
    expect(await none.truth(none.session)).toMatchObject({ status: 'unknown', unknown: { reason: 'relay_stopped' } });
  });

  it('is no second payment where a query found this one first', async () => {
    const relay = await setUp();
    relay.gateway.answer = async () => {
      relay.books.records = [record('A', 'T1', '3000')];
      for (let polls = 0; polls < 2; polls++) {
        relay.pass(MINUTE);
        await relay.poll();
      }
      return approval;
    };
    expect(await relay.click()).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(await relay.truth(relay.session)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(await relay.metric('turnpike_paid_twice_total')).toBe(0);
  });
});

describe('an answer that comes after the attempt was absent', () => {
  /** The answer to an attempt that another relay settled as not paid; then this happens before it comes. */
  async function afterAbsence(called: CallResult, config: object = {}, meanwhile?: (relay: Relay) => Promise<unknown>) {
    const relay = await setUp(config);
    relay.gateway.answer = async () => {
      for (let polls = 0; polls < 5; polls++) {
        relay.pass(5 * MINUTE);
        await relay.poll();
      }
      expect((await relay.truth(relay.session)).attempts).toMatchObject([{ status: 'not_paid' }]);
      await meanwhile?.(relay);
      return called;
    };
    return { ...relay, answer: await relay.click() };
  }
  type Relay = Awaited<ReturnType<typeof setUp>>;

  it('is a late approval of an open or failed session', async () => {
    for (const [attempts_per_session, late] of [
      [5, undefined],
      [1, true],
    ]) {
      const paid = await afterAbsence(approval, { limits: { attempts_per_session } });
      expect(paid.answer).toMatchObject({ status: 'approved', transaction_id: 'T1', result: { code: '0000' } });
      expect(await paid.truth(paid.session)).toMatchObject({
        status: 'approved',
        transaction_id: 'T1',
        attempts: [{ status: 'approved' }],
      });
      const told = (await paid.webhooks(paid.session)).at(-1);
      expect(told?.type).toBe('session.approved');
      expect(told?.data.late).toBe(late);
      await expect(paid.click()).rejects.toMatchObject({ code: 'session_final' });
      const another = { ...paid.session, id: 'cs_another' };
      expect(await paid.context.store.sessions.create(another)).toEqual({ kind: 'order_already_paid' });
    }
  });

  it('is a second payment where another one paid meanwhile', async () => {
    const twice = await afterAbsence(approval, {}, ({ pay, session }) => pay(session, approvedBy('T2')));
    expect(await twice.truth(twice.session)).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    expect((await twice.webhooks(twice.session)).at(-1)).toMatchObject({
      type: 'session.paid_twice',
      data: { transaction_ids: ['T2', 'T1'] },
    });
    const once = await afterAbsence(approval, {}, ({ pay, session }) => pay(session, approvedBy('T1')));
    expect(await once.metric('turnpike_paid_twice_total')).toBe(0);
    expect((await once.webhooks(once.session)).at(-1)).toMatchObject({ type: 'session.approved' });
  });

  it('is an approval although another attempt is under way', async () => {
    const busy = await afterAbsence(approval, {}, ({ pay, session }) => pay(session));
    expect(busy.answer).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(await busy.truth(busy.session)).toMatchObject({
      status: 'approved',
      transaction_id: 'T1',
      attempts: [{ status: 'approved' }, { status: 'in_flight' }],
    });
  });

  it('changes nothing when it is no approval', async () => {
    const declined = await afterAbsence(decline);
    expect(declined.answer).toEqual({ status: 'unknown' });
    expect(await declined.truth(declined.session)).toMatchObject({
      status: 'open',
      attempts: [{ status: 'not_paid' }],
    });
  });
});

describe('an answer that cannot be stored', () => {
  it('is stored when the store is there again, without a query', async () => {
    const { context, session, gateway, click, truth, queries } = await setUp();
    let isUp = true;
    const write: Store['orders']['write'] = async (one) => {
      if (!isUp) throw new StoreError('down');
      return context.store.orders.write(one);
    };
    const lateWrites = startLateWrites(context.log, () => performance.now());
    onTestFinished(() => lateWrites.stop());
    gateway.answer = async () => {
      isUp = false;
      return approval;
    };
    const unlucky = { ...context, lateWrites, store: { ...context.store, orders: { ...context.store.orders, write } } };
    expect(await click(unlucky)).toEqual({ status: 'unknown' });
    expect(await truth(session)).toMatchObject({ status: 'processing' });
    isUp = true;
    await expect.poll(() => truth(session)).toMatchObject({ status: 'approved' });
    expect(queries).toEqual([]);
  });
});

describe('an attempt that the store keeps, though the write failed', () => {
  /** A relay that gets no answer from the store to this number of writes of orders. */
  async function losing(writes: number) {
    const relay = await setUp({ limits: { attempts_per_card_per_hour: 1 } });
    const { write: writeOrder } = relay.context.store.orders;
    let lost = 0;
    relay.context.store.orders.write = async (write) => {
      const written = await writeOrder(write);
      if (++lost <= writes) throw new StoreError('lost while it committed');
      return written;
    };
    await expect(relay.click()).rejects.toThrow('lost while it committed');
    return { ...relay, first: relay.session, session: relay.makeSession };
  }

  it('is not sent, and its session is open again without a query', async () => {
    const { context, first: session, sent, click, truth, queries } = await losing(1);
    expect(await truth(session)).toMatchObject({ status: 'processing' });
    await recordUnsent(context);
    expect(await truth(session)).toMatchObject({ status: 'open', attempts: [{ status: 'not_sent' }] });
    expect([sent, queries, context.unsent.size]).toEqual([[], [], 0]);
    expect(await click()).toMatchObject({ status: 'approved' });
  });

  it('keeps nothing of the card', async () => {
    const { context } = await losing(1);
    expect(JSON.stringify([...context.unsent])).not.toContain('411111');
    expect([...context.unsent].map(({ unsent }) => Object.keys(unsent).toSorted())).toEqual([
      ['account', 'attempt', 'order_no', 'quotas', 'session', 'started_at'],
    ]);
  });

  it('gives its quotas back once, though that is not heard either', async () => {
    const { context, session, click, pass } = await losing(2);
    await expect(recordUnsent(context)).rejects.toThrow('lost while it committed');
    const [second, third] = [await session('B'), await session('C')];
    expect(await click(context, undefined, second)).toMatchObject({ status: 'unknown' });
    pass(SECOND);
    await recordUnsent(context);
    expect(context.unsent.size).toBe(0);
    await expect(click(context, undefined, third)).rejects.toMatchObject({ code: 'too_many_attempts' });
  });
});
