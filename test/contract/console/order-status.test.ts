import { describe, expect, it } from 'vitest';
import { attention } from '../../../shared/api/attention.ts';
import { type OrderStatus, orderList, orderStatuses } from '../../../shared/api/order.ts';
import { stats } from '../../../shared/api/stats.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { setUpOrderActions } from '../../support/relays/order-actions.ts';
import { apiKey } from '../../support/relays/relay.ts';

const DAY_MS = 86_400_000;

const codes = {
  payment_status: { approved: ['3000'], declined: ['4100'], held: ['2900'], charged_back: ['5000'] },
};

describe.each(stores)('the status of an order, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp(capture: 'manual' | 'automatic' = 'automatic') {
    const stack = await setUpOrderActions(newStore, { profile: { codes, capture: { card: capture } } });
    const { relay, records, pay } = stack;
    const { orderNo, transactionId } = await pay();
    const found = async (query: Record<string, string>) =>
      orderList.parse(
        (await relay.get(`/v1/orders?${new URLSearchParams({ order_no: orderNo, ...query })}`, apiKey)).body,
      ).orders;
    return {
      ...stack,
      found,
      orderNo,
      transactionId,
      act: (...[name, body]: [Parameters<typeof stack.act>[0], object?]) => stack.act(name, orderNo, body),
      /** The gateway's record of a payment of the order gets this code, and the relay queries it. */
      async recorded(payment_status: string, transaction_id = transactionId): Promise<void> {
        const sum = { amount: '129.90', currency: 'BRL' };
        records.push({ order_no: orderNo, ...sum, transaction_id, payment_status });
        const at = records.findIndex(
          (one) => 'transaction_id' in one && one.transaction_id === transaction_id && one !== records.at(-1),
        );
        if (at >= 0) records.splice(at, 1);
        await relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
      },
      /** Expects this status in the order, the list, its filter and its CSV, and the capturable amount in the list. */
      async is(status: OrderStatus, canCapture = false): Promise<void> {
        expect((await relay.get(`/v1/orders/${orderNo}`, apiKey)).body).toMatchObject({ status });
        const line = expect.objectContaining({ order_no: orderNo, status });
        expect(await found({})).toEqual([line]);
        const finds = async (one: OrderStatus) => (await found({ status: one })).length > 0;
        const finding = await Promise.all(orderStatuses.map(async (one) => ((await finds(one)) ? [one] : [])));
        expect(finding.flat()).toEqual([status]);
        expect(await found({ capturable: 'true' })).toEqual(canCapture ? [line] : []);
        const csv = (await relay.get(`/v1/orders?format=csv&order_no=${orderNo}&status=${status}`, apiKey)).text;
        expect(csv.split('\r\n')[1]).toMatch(new RegExp(`^${orderNo},${status},`));
      },
    };
  }

  it('follows a hold and the review that accepts it', async () => {
    const { is, recorded, act } = await setUp();
    await is('paid');
    await recorded('2900');
    await is('held');
    expect((await act('review', { decision: 'accept' })).status).toBe(200);
    await is('paid');
  });

  it('follows refunds', async () => {
    const { is, act } = await setUp();
    await act('refund', { amount: '29.90', reason: 'part' });
    await is('partially_refunded');
    await act('refund', { reason: 'rest' });
    await is('refunded');
  });

  it('follows captures, and a cancellation', async () => {
    const { is, act } = await setUp('manual');
    await is('authorised', true);
    await act('capture', { amount: '100.00' });
    await is('partially_captured', true);
    await act('capture');
    await is('paid');
    const other = await setUp('manual');
    await other.act('cancel');
    await other.is('cancelled');
  });

  it('needs a person when authorised too long, until it is captured', async () => {
    const { relay, orderNo, transactionId, act, found } = await setUp('manual');
    const waits = async () => {
      const { groups } = attention.parse((await relay.get('/v1/attention', apiKey)).body);
      const cases = groups.find(({ kind }) => kind === 'payment_authorised')?.cases ?? [];
      const order = (await relay.get(`/v1/orders/${orderNo}`, apiKey)).body;
      const count = /^turnpike_authorised_too_long (\d+)$/m.exec((await relay.get('/metrics')).text)?.[1];
      return [cases.length, (await found({ needs_attention: 'true' })).length, order.needs_attention, count];
    };
    expect(await waits()).toEqual([0, 0, false, '0']);
    relay.pass(5 * DAY_MS - 60_000);
    expect(await waits()).toEqual([0, 0, false, '0']);
    relay.pass(120_000);
    await expect.poll(waits).toEqual([1, 1, true, '1']);
    const { groups } = attention.parse((await relay.get('/v1/attention', apiKey)).body);
    const [case_] = groups.find(({ kind }) => kind === 'payment_authorised')?.cases ?? [];
    expect(case_).toMatchObject({ why: 'authorised', order_no: orderNo, transaction_id: transactionId });
    expect((await act('capture')).status).toBe(200);
    await expect.poll(waits).toEqual([0, 0, false, '0']);
  });

  it('decides how much of its payment counts in the net sum', async () => {
    const sumsOf = async ({ relay }: Awaited<ReturnType<typeof setUp>>) => {
      const { total, periods } = stats.parse((await relay.get('/v1/stats?by=hour', apiKey)).body);
      expect(periods.flatMap(({ net }) => net)).toEqual(total.net);
      return { gross: total.gross, net: total.net, renewals: total.renewals };
    };
    const whole = (count: number, amount: string) => [{ currency: 'BRL', count, amount }];
    const paid = await setUp('manual');
    expect(await sumsOf(paid)).toEqual({ gross: whole(1, '129.90'), net: whole(1, '129.90'), renewals: [] });
    await paid.act('capture', { amount: '100.00' });
    await paid.act('refund', { amount: '30.00', reason: 'part' });
    expect(await sumsOf(paid)).toMatchObject({ gross: whole(1, '129.90'), net: whole(1, '99.90') });
    await paid.act('cancel');
    expect(await sumsOf(paid)).toMatchObject({ gross: whole(1, '129.90'), net: whole(1, '70.00') });
    const reversed = await setUp();
    await reversed.recorded('5000');
    expect(await sumsOf(reversed)).toMatchObject({ gross: whole(1, '129.90'), net: [] });
    await reversed.recorded('3000');
    expect(await sumsOf(reversed)).toMatchObject({ net: whole(1, '129.90') });
  });

  it('follows a rejection, and a chargeback until it is reversed', async () => {
    const { is, act } = await setUp();
    await act('review', { decision: 'reject' });
    await is('rejected');
    const other = await setUp();
    await other.recorded('5000');
    await other.is('reversed');
    await other.recorded('3000');
    await other.is('paid');
  });

  it('is paid twice until one of two payments is refunded', async () => {
    const { is, recorded, act, relay, orderNo, transactionId, found } = await setUp();
    await recorded('3000');
    await recorded('3000', 'SECOND-1');
    await is('paid_twice');
    const twice = async () => (await relay.get(`/v1/orders/${orderNo}`, apiKey)).body.paid_twice;
    expect(await twice()).toEqual({ counts: transactionId, surplus: ['SECOND-1'] });
    await recorded('2900');
    expect(await twice()).toBeUndefined();
    await recorded('3000');
    await act('refund', { amount: '1.00', transaction_id: transactionId, reason: 'part' });
    await is('paid_twice');
    await act('refund', { transaction_id: transactionId, reason: 'rest' });
    await is('paid');
    expect(await found({})).toMatchObject([{ transaction_id: 'SECOND-1' }]);
    await act('refund', { transaction_id: 'SECOND-1', reason: 'all' });
    await is('refunded');
  });
});
