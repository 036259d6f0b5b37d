import { describe, expect, it } from 'vitest';
import { auditList } from '../../../shared/api/audit.ts';
import { orderNote } from '../../../shared/api/order-note.ts';
import { patient, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey, card, otherAccountKey, queryOnlyKey } from '../../support/relays/relay.ts';

const route = '/v1/orders/{order_no}/notes';

describe.each(stores)('a note on an order, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp() {
    const stack = await setUpSettlement(newStore, { resolve: patient });
    const { orderNo } = await stack.session();
    const document = documented();
    const write = async (note: string, { key = apiKey, order = orderNo, headers = {} } = {}) => {
      const answer = await stack.relay.post(`/v1/orders/${encodeURIComponent(order)}/notes`, key, { note }, headers);
      document.check('post', route, answer);
      return answer;
    };
    const timeline = async () => {
      const answer = await stack.relay.get(`/v1/orders/${orderNo}`, apiKey);
      document.check('get', '/v1/orders/{order_no}', answer);
      const entries = Array.isArray(answer.body.timeline) ? answer.body.timeline : [];
      return entries.filter(({ type }) => type === 'note');
    };
    return { ...stack, orderNo, write, timeline };
  }

  it('is kept with its author, once for each key', async () => {
    const { relay, orderNo, write, timeline } = await setUp();
    const headers = { 'idempotency-key': 'note-1' };
    const first = await write('Cup broken.\nThe shopper wants another one.', { headers });
    expect(first.status).toBe(201);
    const note = orderNote.parse(first.body);
    expect(note).toMatchObject({ by: 'all', note: 'Cup broken.\nThe shopper wants another one.' });
    expect((await write('Cup broken.\nThe shopper wants another one.', { headers })).text).toBe(first.text);
    await write('Sent. Transaction 17780886377780886377.');
    expect(await timeline()).toMatchObject([
      { ...note, type: 'note' },
      { type: 'note', by: 'all', note: 'Sent. Transaction 17780886377780886377.' },
    ]);
    const { entries } = auditList.parse((await relay.get(`/v1/audit?order_no=${orderNo}`, apiKey)).body);
    expect(entries).toMatchObject([
      { action: 'order.note', by: 'all', orders: [orderNo] },
      { action: 'order.note', by: 'all', orders: [orderNo] },
    ]);
    expect(JSON.stringify(entries)).not.toContain('Cup');
  });

  it('is refused with a card number, empty, or too long', async () => {
    const { write, timeline } = await setUp();
    for (const text of [card.card, `paid with ${card.card.replaceAll(' ', '')}.`, ' \n', 'x'.repeat(1001)]) {
      const refused = await write(text);
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path: 'note' }] } });
      expect(refused.text).not.toContain(card.card);
    }
    expect(await write('x'.repeat(1000))).toMatchObject({ status: 201 });
    expect(await timeline()).toHaveLength(1);
  });

  it('needs an order of the account and more than read access', async () => {
    const { relay, write } = await setUp();
    expect(await write('hello', { order: 'none' })).toMatchObject({ status: 404 });
    expect(await write('hello', { key: otherAccountKey })).toMatchObject({ status: 404 });
    expect(await write('hello', { key: queryOnlyKey })).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
    const entries = async () => auditList.parse((await relay.get('/v1/audit', apiKey)).body).entries;
    const refused = { action: 'order.note', by: 'query', problem: 'missing_scope' };
    await expect.poll(entries).toContainEqual(expect.objectContaining(refused));
  });
});
