import { describe, expect, it } from 'vitest';
import { approvedBy, DAY, lost, record } from '../../../test/support/payments/resolving.ts';
import {
  answered,
  approval,
  byCard,
  byPix,
  decline,
  setUpServerPayments as setUp,
  timeout,
} from '../../../test/support/payments/server-payments.ts';
import { notificationToken } from '../../base/keys.ts';
import type { Store } from '../../store/store.ts';
import { payFromServer } from './payment.ts';

describe('a payment from the shop’s server', () => {
  it('is answered when it is approved, with the gateway’s details', async () => {
    const told = {
      transaction_id: 'T1',
      order_status: '1',
      result_info: '0000:Success',
      recurring_id: 'R1',
      contract_name: 'Tea',
    };
    const { post, orderOf, kept, audited, stored } = await setUp(answered(told));
    const reply = await post();
    expect(reply).toMatchObject({ status: 200, type: 'application/json' });
    expect(reply.body).toEqual({
      status: 'approved',
      id: expect.stringMatching(/^cs_/),
      order_no: 'A',
      transaction_id: 'T1',
      card: '411111******1111',
      result: { code: '0000', message: 'Success' },
      recurring_id: 'R1',
      contract_name: 'Tea',
    });
    expect(kept).toHaveLength(1);
    expect(audited).toEqual([{ action: 'payment', subject: reply.body.id, orders: ['A'] }, 'written']);
    const session = await stored(reply.body.id);
    expect(session).toMatchObject({
      account: 'demo',
      order_no: 'A',
      revision: 1,
      created_at: '2026-03-01T12:00:00.000Z',
      expires_at: '2026-03-02T12:00:00.000Z',
      terms: { single: true, methods: [{ type: 'card' }], installment_options: [], saved_cards: [], collect: [] },
    });
    expect(JSON.stringify(session)).not.toContain('4111111111111111');
    expect(await orderOf(session)).toMatchObject({ hold: 'paid', attempts: [{ method: 'card', revision: 1 }] });
  });

  it('sends what the shop gave, with the relay’s own addresses', async () => {
    const { post, sent, context, account } = await setUp();
    const items = [{ name: 'Tea', code: 'x', price: '10.00', quantity: 1 }];
    const { body } = await post({ ...byCard, items, shopper_email: 'ada@shop.example' });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      name: 'direct_payment',
      message: {
        merchant_id: '100001',
        account_id: '200001',
        order_no: 'A',
        card: '4111111111111111',
        security_code: '737',
        shopper_email: 'ada@shop.example',
        items: expect.stringContaining('Tea'),
        notify_url: `http://127.0.0.1:8080/notify/payment/${body.id}/${notificationToken(account, 'payment', body.id)}`,
        checkout_time: context.now().getTime() / 1000,
      },
    });
    expect(sent[0]?.message).not.toHaveProperty('return_url');
  });

  it('keeps the shop’s time of checkout; sends no empty items', async () => {
    const { post, sent } = await setUp();
    await post({ ...byCard, checkout_time: 1_700_000_000 });
    expect(sent[0]?.message).toMatchObject({ checkout_time: 1_700_000_000 });
    expect(sent[0]?.message).not.toHaveProperty('items');
  });

  it('redirects an alternative payment to the issuer and back', async () => {
    const { post, sent, stored, kept } = await setUp(
      answered({ transaction_id: 'T1', issuer_url: 'https://issuer.example/x' }),
    );
    const { body } = await post(byPix);
    expect(body).toEqual({
      status: 'redirect',
      id: expect.any(String),
      order_no: 'A',
      redirect_url: expect.stringContaining(`/checkout/${body.id}/issuer?ticket=`),
    });
    expect(sent[0]).toMatchObject({
      name: 'apm_payment',
      message: { payment_method: 'PIX', return_url: `http://127.0.0.1:8080/return/${body.id}` },
    });
    expect((await stored(body.id)).terms.methods).toEqual([{ type: 'apm', payment_method: 'PIX', label: 'PIX' }]);
    expect((await stored(body.id)).terms).not.toHaveProperty('return_url');
    expect(kept).toHaveLength(1);
  });

  it('returns to the shop where that is allowed', async () => {
    const { post, context, account, use } = await setUp();
    await expect(post({ ...byPix, return_url: 'https://shop.example/done' })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'return_url' }],
    });
    const allowed = { ...account, return_urls: ['https://shop.example/done'] };
    await expect(
      payFromServer(context, { ...byPix, return_url: 'https://other.example/' }, { ...use, account: allowed }),
    ).rejects.toMatchObject({
      errors: [
        {
          path: 'return_url',
          message: 'must be an absolute URL under one of the relay’s return_urls: https://shop.example/done',
        },
      ],
    });
    const reply = await payFromServer(
      context,
      { ...byPix, return_url: 'https://shop.example/done' },
      { ...use, account: allowed },
    );
    const { id } = JSON.parse(reply.body);
    expect((await context.store.sessions.get(id))?.terms.return_url).toBe('https://shop.example/done');
  });

  it('is answered when it is declined, and fails its session', async () => {
    const { post, stored, kept } = await setUp(decline);
    const { body } = await post();
    expect(body).toEqual({
      id: expect.any(String),
      order_no: 'A',
      status: 'declined',
      result: { code: '2001', message: 'no' },
      advice: 'contact_bank',
      transaction_id: 'T1',
    });
    expect((await stored(body.id)).state.status).toBe('failed');
    expect(kept).toHaveLength(1);
  });

  it('that the gateway refuses has no transaction', async () => {
    const { post } = await setUp({ kind: 'refused', status: 400, evidence: {} });
    const { body } = await post();
    expect(body).toMatchObject({ status: 'declined', result: { code: 'http_400' } });
    expect(body).not.toHaveProperty('transaction_id');
  });

  it('whose outcome is unknown keeps no answer under its key', async () => {
    const { post, kept } = await setUp(timeout);
    expect((await post()).body).toEqual({ id: expect.any(String), order_no: 'A', status: 'unknown' });
    expect(kept).toEqual([]);
  });

  it('that is declined while another one is pending keeps none either', async () => {
    const payment_status = { approved: ['3000'], declined: ['4100'], pending: ['1000'] };
    const gateway = { base_url: 'http://127.0.0.1:8081', profile: { codes: { payment_status } } };
    const { context, post, session: create, abandon, books, reconcile, kept } = await setUp(decline, { gateway });
    const session = await create('A');
    await abandon(session);
    const { call } = context;
    context.call = async (name, ...rest) => {
      if (name === 'query') return call(name, ...rest);
      books.records = [record('A', 'T5', '1000')];
      await reconcile(session);
      return call(name, ...rest);
    };
    expect((await post()).body).toEqual({ id: expect.any(String), order_no: 'A', status: 'pending' });
    expect(kept).toEqual([]);
  });

  it.each([
    ['paused', { paused: true }, 'relay_paused'],
    [
      'not told how to sign it',
      {
        gateway: {
          base_url: 'http://127.0.0.1:8081',
          profile: {
            signing: { scheme: 'concat', fields: { query: ['merchant_id'] }, algorithm: 'sha256', secret: 'append' },
          },
        },
      },
      'operation_not_configured',
    ],
  ])('is not sent where the relay is %s', async (_, config, code) => {
    const { post, sent, context } = await setUp(approval, config);
    await expect(post()).rejects.toMatchObject({ code });
    expect(sent).toEqual([]);
    expect((await context.store.orders.get('demo', 'A')).attempts).toEqual([]);
  });

  it('is not sent for a shop that hung up', async () => {
    const { post, sent, context } = await setUp();
    await expect(post(byCard, () => true)).rejects.toMatchObject({ code: 'gateway_unreachable' });
    expect(sent).toEqual([]);
    expect((await context.store.orders.get('demo', 'A')).attempts).toMatchObject([{ state: { status: 'not_sent' } }]);
  });

  it('is refused where its order is held or paid, with whose session', async () => {
    const { post, session: create, pay } = await setUp();
    const session = await create('A');
    await pay(session, lost);
    await expect(post()).rejects.toMatchObject({ code: 'order_in_progress', session_id: session.id });
    const other = await create('B');
    await pay(other, approvedBy('T2'));
    await expect(post({ ...byCard, order_no: 'B' })).rejects.toMatchObject({
      code: 'order_already_paid',
      session_id: other.id,
    });
  });

  it('is made once the gateway shows nothing of earlier attempts', async () => {
    const { post, session: create, abandon, queries, books, sent } = await setUp();
    const session = await create('A');
    await abandon(session);
    const asked = queries.length;
    expect((await post()).body).toMatchObject({ status: 'approved' });
    expect(queries).toHaveLength(asked + 1);
    const other = await create('B');
    await abandon(other);
    books.records = [record('B', 'T9', '3000')];
    await expect(post({ ...byCard, order_no: 'B' })).rejects.toMatchObject({ code: 'order_already_paid' });
    expect(sent).toHaveLength(1);
  });

  it('is limited before the gateway is asked', async () => {
    const {
      post,
      session: create,
      abandon,
      queries,
      pass,
    } = await setUp(decline, {
      limits: { attempts_per_card_per_hour: 1 },
    });
    await abandon(await create('A'));
    expect((await post({ ...byCard, order_no: 'B' })).body).toMatchObject({ status: 'unknown' });
    const asked = queries.length;
    await expect(post()).rejects.toMatchObject({ code: 'too_many_attempts' });
    expect(queries).toHaveLength(asked);
    await expect(post({ ...byCard, order_no: 'C' })).rejects.toMatchObject({ code: 'too_many_attempts' });
    pass(DAY);
    expect((await post()).body).toMatchObject({ status: 'declined' });
  });

  it('counts the shopper’s address if the shop sends it', async () => {
    const { post } = await setUp(decline, { limits: { attempts_per_ip_per_hour: 1 } });
    for (const order_no of ['A', 'B', 'C']) await post({ ...byCard, order_no });
    for (const order_no of ['D', 'E']) await post({ ...byCard, order_no, shopper_ip: '' });
    await post({ ...byCard, order_no: 'F', shopper_ip: '192.0.2.1' });
    const again = post({ ...byCard, order_no: 'G', shopper_ip: '192.0.2.1' });
    await expect(again).rejects.toMatchObject({ code: 'too_many_attempts' });
  });

  it('is made although its order was written meanwhile, with one session', async () => {
    const relay = await setUp();
    const { context, post, session: create } = relay;
    const { write: writeOrder } = context.store.orders;
    let raced = false;
    const racing: Store['orders']['write'] = async (write) => {
      if (!raced) {
        raced = true;
        await create('A');
        const before = await context.store.orders.get('demo', 'A');
        await writeOrder({ before, after: { ...before, notices: before.notices }, events: [] });
      }
      return writeOrder(write);
    };
    context.store.orders.write = racing;
    expect((await post()).body).toMatchObject({ status: 'approved' });
    expect((await context.store.orders.get('demo', 'A')).attempts).toHaveLength(1);
  });

  it('finds its session by its key; a lost key is in progress', async () => {
    const { context, use, sent } = await setUp();
    const key = { account: 'demo', route: 'POST /v1/payments', key: 'k', fingerprint: 'f', claimed_at: '' };
    await expect(payFromServer(context, byCard, { ...use, key })).rejects.toMatchObject({ code: 'in_progress' });
    expect(sent).toEqual([]);
  });
});
