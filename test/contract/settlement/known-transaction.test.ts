import { describe, expect, it } from 'vitest';
import { attention } from '../../../shared/api/attention.ts';
import {
  approvedAs,
  patient,
  paymentAnswers,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

describe.each(stores)('a transaction that paid an order, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('settles no other order', async () => {
    const { scripts, session, byCard, settle, relay } = await setUpSettlement(newStore, { resolve: patient });
    const [paid, unknown] = [await session(), await session()];
    scripts.pay = approvedAs('T1');
    expect((await byCard(paid.secret)).body).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    scripts.pay = paymentAnswers.lost;
    expect((await byCard(unknown.secret)).body).toEqual({ status: 'unknown' });
    const said = { outcome: 'approved', transaction_id: 'T1', note: 'Seen at the portal' };
    expect(await settle(unknown.id, said)).toMatchObject({
      status: 409,
      body: { code: 'transaction_known', detail: expect.stringContaining(paid.orderNo) },
    });
    expect(await relay.truth(unknown.id)).toMatchObject({ status: 'unknown' });
    const respelled = await settle(unknown.id, { ...said, transaction_id: 't1' });
    expect(respelled).toMatchObject({
      status: 400,
      body: { code: 'transaction_id_form', errors: [{ path: 'transaction_id', message: 'must be "T1" exactly' }] },
    });
    documented().check('post', '/v1/sessions/{id}/settle', respelled);
    expect(await relay.truth(unknown.id)).toMatchObject({ status: 'unknown' });
    expect(await settle(unknown.id, { ...said, transaction_id: 'T2' })).toMatchObject({
      status: 200,
      body: { status: 'approved', transaction_id: 'T2' },
    });
  });

  it('settles one of two orders that name it simultaneously', async () => {
    const { scripts, session, byCard, settle, relay } = await setUpSettlement(newStore, { resolve: patient });
    scripts.pay = paymentAnswers.lost;
    const sessions = await Promise.all([session(), session(), session()]);
    for (const { secret } of sessions) expect((await byCard(secret)).body).toEqual({ status: 'unknown' });
    const said = { outcome: 'approved', transaction_id: 'T1', note: 'Seen at the portal' };
    const answers = await Promise.all(sessions.map(({ id }) => settle(id, said)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const paid = sessions[answers.findIndex(({ status }) => status === 200)];
    for (const [i, { status, body }] of answers.entries()) {
      const id = String(sessions[i]?.id);
      expect(await relay.truth(id)).toMatchObject({ status: status === 200 ? 'approved' : 'unknown' });
      if (status === 200) continue;
      expect(body).toMatchObject({ code: 'transaction_known', detail: expect.stringContaining(String(paid?.orderNo)) });
    }
  });

  it('settles one of two orders that name its spellings simultaneously', async () => {
    const { scripts, session, byCard, settle, relay } = await setUpSettlement(newStore, { resolve: patient });
    scripts.pay = paymentAnswers.lost;
    const sessions = await Promise.all([session(), session()]);
    for (const { secret } of sessions) expect((await byCard(secret)).body).toEqual({ status: 'unknown' });
    const said = (transaction_id: string) => ({ outcome: 'approved', transaction_id, note: 'Seen at the portal' });
    const answers = await Promise.all(sessions.map(({ id }, i) => settle(id, said(['T1', 't1'][i] ?? ''))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    for (const [i, { status, body }] of answers.entries()) {
      const id = String(sessions[i]?.id);
      expect(await relay.truth(id)).toMatchObject({ status: status === 200 ? 'approved' : 'unknown' });
      if (status === 400) expect(body).toMatchObject({ code: 'transaction_id_form' });
    }
  });

  it('raises an alarm when the gateway charges a second order under it', async () => {
    const { scripts, session, byCard, becomes, books, webhooksOf, relay, shop } = await setUpSettlement(newStore);
    const [first, second, third] = [await session(), await session(), await session()];
    scripts.pay = approvedAs('T1');
    expect((await byCard(first.secret)).body).toMatchObject({ status: 'approved' });
    expect((await byCard(second.secret)).body).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    scripts.pay = paymentAnswers.lost;
    expect((await byCard(third.secret)).body).toEqual({ status: 'unknown' });
    books.write(third.orderNo, 'T1', '3000');
    for (const { id, orderNo } of [second, third]) {
      await becomes(id, { status: 'approved', transaction_id: 'T1', needs_attention: true });
      const order = await relay.get(`/v1/orders/${orderNo}`, apiKey);
      documented().check('get', '/v1/orders/{order_no}', order);
      expect(order.body).toMatchObject({
        status: 'paid',
        needs_attention: true,
        payments: [{ transaction_id: 'T1', also_paid: first.orderNo }],
      });
      expect(await webhooksOf(id, id === second.id ? 1 : 2)).toContain('session.approved');
      expect(shop.received.filter(({ data }) => data.id === id).at(-1)?.data).toMatchObject({ needs_attention: true });
    }
    expect(await relay.truth(first.id)).not.toHaveProperty('needs_attention');
    const cases = async () => {
      const { groups } = attention.parse((await relay.get('/v1/attention', apiKey)).body);
      return groups.find(({ kind }) => kind === 'order_contradicted')?.cases ?? [];
    };
    await until('both are listed', async () => (await cases()).length === 2);
    const about = { why: 'transaction_known', transaction_id: 'T1', amount: '129.90', currency: 'BRL' };
    for (const { orderNo, id } of [second, third]) {
      expect(await cases()).toContainEqual(expect.objectContaining({ ...about, order_no: orderNo, session_id: id }));
    }
    expect(await relay.context.metrics.registry.metrics()).toMatch(/^turnpike_shared_transactions_total 2$/m);
    expect(relay.logLines.filter((line) => line.includes('transaction paid two orders'))).toHaveLength(2);
  });
});
