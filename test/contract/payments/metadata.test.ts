import { describe, expect, it } from 'vitest';
import { storesOf } from '../../support/gateways/settlement.ts';
import { setUpOrderActions } from '../../support/relays/order-actions.ts';
import { apiKey, card, order } from '../../support/relays/relay.ts';

const metadata = { cart: '4711', 'sales rep': 'maria', empty: '' };
const setUp = () => setUpOrderActions(storesOf('SQLite'));

describe('metadata of a session', () => {
  it('is in the session’s answers and webhooks, and never sent', async () => {
    const { relay, shop, gateway, reference } = await setUp();
    const create = () => relay.post('/v1/sessions', apiKey, { order: order(), metadata });
    const created = await create();
    reference.check('post', '/v1/sessions', created);
    expect(created.body).toMatchObject({ metadata });
    const form = await relay.get('/checkout/api/session', String(created.body.client_secret));
    expect(form.text).not.toMatch(/4711|maria/);
    const path = `/v1/sessions/${created.body.id}`;
    const changed = await relay.patch(path, apiKey, { order: { amount: '50.00' } });
    reference.check('patch', '/v1/sessions/{id}', changed);
    expect(changed.body).toMatchObject({ metadata, revision: 2 });
    await relay.pay(String(created.body.client_secret), { ...card, revision: 2 });
    const paid = await relay.get(path, apiKey);
    reference.check('get', '/v1/sessions/{id}', paid);
    expect(paid.body).toMatchObject({ status: 'approved', metadata });
    expect((await shop.one('session.approved')).data).toMatchObject({ id: created.body.id, metadata });
    const listed = await relay.get(`/v1/orders/${created.body.order_no}`, apiKey);
    reference.check('get', '/v1/orders/{order_no}', listed);
    expect(listed.body).toMatchObject({ sessions: [{ metadata }], payments: [{ metadata }] });
    const withdrawn = await relay.post(`/v1/sessions/${(await create()).body.id}/expire`, apiKey, {});
    expect(withdrawn.body).toMatchObject({ status: 'expired', metadata });
    expect(JSON.stringify(gateway.received)).not.toMatch(/4711|maria/);
  });

  it('is masked', async () => {
    const { relay, gateway } = await setUp();
    const cards = { note: `pan ${card.card}`, [card.card]: 'x', cvv: '737', order_no: card.card };
    const { body } = await relay.post('/v1/sessions', apiKey, { order: order(), metadata: cards });
    const masked = { note: 'pan 411111******1111', '411111******1111': 'x', cvv: '***', order_no: '411111******1111' };
    expect(body.metadata).toEqual(masked);
    expect((await relay.truth(String(body.id))).metadata).toEqual(masked);
    expect(gateway.received).toEqual([]);
  });

  it('is refused if too long', async () => {
    const { relay } = await setUp();
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, '']));
    const bad: [object, string][] = [
      [many, 'metadata'],
      [{ ['k'.repeat(41)]: '' }, `metadata.${'k'.repeat(41)}`],
      [{ k: 'x'.repeat(501) }, 'metadata.k'],
      [{ k: 1 }, 'metadata.k'],
    ];
    for (const [wrong, path] of bad) {
      const { body } = await relay.post('/v1/sessions', apiKey, { order: order(), metadata: wrong });
      expect(body).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
    }
    const { k50: _, ...whole } = { ...many, k50: '' };
    const kept = await relay.post('/v1/sessions', apiKey, { order: order(), metadata: whole });
    expect(kept.body.metadata).toEqual(whole);
  });
});

describe('metadata of a payment by a server', () => {
  it('is in its answer, session and webhook, and never sent', async () => {
    const { relay, shop, gateway, reference } = await setUp();
    const answer = await relay.post('/v1/payments', apiKey, { ...order(), ...card, metadata });
    reference.check('post', '/v1/payments', answer);
    expect(answer.body).toMatchObject({ status: 'approved', metadata });
    expect(await relay.truth(String(answer.body.id))).toMatchObject({ metadata });
    expect((await shop.one('session.approved')).data).toMatchObject({ metadata });
    const apm = await relay.post('/v1/payments', apiKey, { ...order(), payment_method: 'PIX', metadata });
    expect(apm.body).toMatchObject({ metadata });
    expect(JSON.stringify(gateway.received)).not.toMatch(/4711|maria/);
  });

  it('is refused if it contains the card, which no message quotes', async () => {
    const { relay, gateway } = await setUp();
    for (const notes of [{ k: card.card }, { [card.card]: card.card }]) {
      const { status, text } = await relay.post('/v1/payments', apiKey, { ...order(), ...card, metadata: notes });
      expect(status).toBe(400);
      expect(text).toContain('"path":"metadata.');
      expect(text).not.toContain(card.card);
    }
    expect(gateway.received).toEqual([]);
  });
});

describe('the order of a session', () => {
  it('is in its answers and webhooks unchanged, without card data', async () => {
    const { relay, shop, reference } = await setUp();
    const given = {
      ...order(),
      custom: 'basket 7',
      shopper_id: 'S-1',
      items: [{ name: 'Tea', code: 'T-1', price: '64.95', quantity: 2 }],
      subscription: { contract_name: 'Tea', contract_amount: '10.00', billing_cycle: 12 },
    };
    const created = await relay.post('/v1/sessions', apiKey, { order: { ...given, note: `to ${card.card}` } });
    expect(created.body.order).toEqual({ ...given, note: 'to 411111******1111' });
    const path = `/v1/sessions/${created.body.id}`;
    const changed = await relay.patch(path, apiKey, { order: { amount: '50.5', custom: null } });
    reference.check('patch', '/v1/sessions/{id}', changed);
    const { custom: _, ...rest } = given;
    const shown = { ...rest, amount: '50.50', note: 'to 411111******1111' };
    expect(changed.body.order).toEqual(shown);
    await relay.pay(String(created.body.client_secret), { ...card, revision: 2 });
    expect((await relay.get(path, apiKey)).body.order).toEqual(shown);
    const event = await shop.one('session.approved');
    expect(event.data.order).toEqual(shown);
  });

  it('of a payment by a server contains no card and no file', async () => {
    const { relay, reference } = await setUp();
    const documents = { file_type: 'image/png', file_data: 'aGk=' };
    const given = { ...order(), shopper_ip: '203.0.113.7', payment_method: 'BOLETO', person: { documents } };
    const { body } = await relay.post('/v1/payments', apiKey, given);
    const answer = await relay.get(`/v1/sessions/${body.id}`, apiKey);
    reference.check('get', '/v1/sessions/{id}', answer);
    const { shopper_ip: _, payment_method: __, ...kept } = given;
    expect(answer.body.order).toEqual({ ...kept, person: { documents: { file_type: 'image/png' } } });
    const paid = await relay.post('/v1/payments', apiKey, { ...order(), ...card });
    const { order: own } = await relay.truth(String(paid.body.id));
    expect(JSON.stringify(own)).not.toMatch(/card|security_code|expiration/);
  });
});
