import { describe, expect, it } from 'vitest';
import type { RefundBooks } from '../../support/gateways/refund-books.ts';
import { item, operation, setUpTimed, transaction_id } from '../../support/gateways/refund-lookup.ts';
import { sendSigned } from '../../support/gateways/scripted-gateway.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey } from '../../support/relays/relay.ts';

const MINUTE = 60_000;

/** Searches that do not count or prove nothing. */
const useless: [string, (books: RefundBooks) => void][] = [
  [
    'is not answered',
    (books) => {
      books.search = (res) => void res.writeHead(503).end();
    },
  ],
  [
    'shows payments that were not asked for',
    (books) => {
      const other = { ...item('10.00', { transaction_id: 'T', order_no: 'x' }), refund_reference_id: 'R' };
      books.search = (res, truth) => sendSigned(res, { ...truth, refund_orders: [other] });
    },
  ],
];

describe.each(stores)('before another refund of a payment is sent, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A refund of the whole payment that was booked, whose answer was lost, and that counts as not made. */
  async function released(change: RefundBooks['change'] = {}) {
    const stack = await setUpTimed(await newStore());
    const { books, relay, refund, searched } = stack;
    Object.assign(books, { refund: 'booked_and_lost', change, lag: 1 });
    const { id } = await refund([item('129.90')]);
    for (const ms of [1000, 8 * MINUTE, 8 * MINUTE]) await searched(id, ms);
    expect(await operation(relay, id)).toMatchObject({ status: 'settled', items: ['failed'] });
    Object.assign(books, { refund: 'answered', change: {}, lag: 0 });
    return { ...stack, id };
  }

  it.each([
    ['has an unlisted status', { refund_status: '5' }],
    ['has no currency', { currency: null }],
  ])('one that counted as not made exists and %s', async (_, change) => {
    const { relay, refund, refunds, id, searched, books } = await released(change);
    expect(await refund([item('129.90')])).toMatchObject({ status: 409, code: 'refund_exceeds_payment', id });
    expect(await operation(relay, id)).toMatchObject({ status: 'unknown', unknown: { needs_attention: false } });
    documented().check('get', '/v1/operations/{id}', await relay.get(`/v1/operations/${id}`, apiKey));
    expect(await refund([item('0.01')]), 'it counts as refunded').toMatchObject({ code: 'refund_exceeds_payment' });
    expect(refunds()).toHaveLength(1);
    const events = (await relay.get('/v1/events?type=operation.unknown', apiKey)).body.events;
    expect(events).toMatchObject([{ data: { id } }, { data: { id } }]);
    for (const record of books.records) Object.assign(record, { refund_status: '1', currency: 'BRL' });
    await searched(id, MINUTE);
    expect(await operation(relay, id)).toMatchObject({ status: 'settled', items: ['succeeded'] });
    const completed = (await relay.get('/v1/events?type=operation.completed', apiKey)).body.events;
    expect(completed).toMatchObject(['succeeded', 'failed'].map((status) => ({ data: { id, items: [{ status }] } })));
  });

  it('its own searches show an unlisted status, and a person decides', async () => {
    const { relay, refund, refunds, id, searched } = await released({ refund_status: '5' });
    await searched(id, MINUTE);
    expect(await operation(relay, id)).toMatchObject({
      status: 'unknown',
      unknown: { last_query: { found: 'undecided' } },
    });
    expect((await refund([item('0.01')])).code).toBe('refund_exceeds_payment');
    const settled = await relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome: 'failed' });
    expect(settled).toMatchObject({ status: 200, body: { items: ['failed'] } });
    expect((await refund([item('129.90')])).status).toBe(200);
    expect(refunds()).toHaveLength(2);
  });

  it.each(useless)('nothing is sent if the search %s', async (_, spoil) => {
    const { books, relay, refund, refunds, id } = await released();
    spoil(books);
    const key = { 'idempotency-key': 'k-2' };
    const untold = { status: 503, code: 'gateway_unreachable', id };
    expect(await refund([item('129.90')], key)).toMatchObject(untold);
    const asked = { refund_orders: [item('129.90')] };
    documented().check('post', '/v1/refund', await relay.post('/v1/refund', apiKey, asked, key));
    expect(refunds()).toHaveLength(1);
    books.search = undefined;
    books.records.length = 0;
    expect((await refund([item('129.90')], key)).status, 'its key is free').toBe(200);
  });

  it('nothing is sent if a batch contains an unsearchable name', async () => {
    const { refund, refunds, id } = await released();
    const batch = [item('1.00'), item('1.00', { transaction_id: 'A,B' })];
    expect(await refund(batch)).toMatchObject({ status: 503, id });
    expect(refunds()).toHaveLength(1);
  });

  it('the searches found it at the same moment', async () => {
    const { relay, refund, refunds, id, searched } = await released();
    const { store } = relay.context;
    const { refundsOf } = store.operations;
    let first = true;
    store.operations.refundsOf = async (...asked) => {
      const found = await refundsOf(...asked);
      if (first) {
        first = false;
        await searched(id, MINUTE);
      }
      return found;
    };
    expect(await refund([item('10.00')])).toMatchObject({ status: 409, id });
    expect(await operation(relay, id)).toMatchObject({ items: ['succeeded'] });
    expect(refunds()).toHaveLength(1);
  });

  it('a refused one exists', async () => {
    const { books, relay, refund, refunds, receiver } = await setUpTimed(await newStore());
    books.refund = 'booked_and_refused';
    const { id, status } = await refund([item('10.00')]);
    expect(status).toBe(422);
    books.refund = 'answered';
    expect(await refund([item('10.00')])).toMatchObject({ status: 409, code: 'refund_exceeds_payment', id });
    expect(await operation(relay, id)).toMatchObject({ status: 'settled', items: ['succeeded'] });
    expect((await receiver.one('operation.settled')).data).toMatchObject({ id });
    expect(refunds()).toHaveLength(1);
    expect((await refund([item('10.00')])).status, 'the shop looked, and wants another one').toBe(200);
  });

  it.each(useless)('one was refused, and the search %s', async (_, spoil) => {
    const { books, relay, refund, refunds } = await setUpTimed(await newStore());
    books.refund = 'refused';
    const { id } = await refund([item('10.00')]);
    books.refund = 'answered';
    spoil(books);
    expect(await refund([item('10.00')])).toMatchObject({ status: 503, id });
    expect(refunds()).toHaveLength(1);
    expect((await relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome: 'failed' })).status).toBe(200);
    expect((await refund([item('10.00')])).status).toBe(200);
  });

  it('one was refused, and does not exist', async () => {
    const { books, refund, refunds } = await setUpTimed(await newStore());
    books.refund = 'refused';
    await refund([item('10.00')]);
    books.refund = 'answered';
    expect((await refund([item('10.00')])).status).toBe(200);
    expect(refunds()).toHaveLength(2);
  });

  it('the key of a refused one returns its state', async () => {
    const { books, relay, refunds, searched } = await setUpTimed(await newStore());
    books.refund = 'booked_and_refused';
    const ask = () =>
      relay.post('/v1/refund', apiKey, { refund_orders: [item('10.00')] }, { 'idempotency-key': 'k-1' });
    const first = await ask();
    documented().check('post', '/v1/refund', first);
    const id = String(first.body.operation_id);
    expect(first).toMatchObject({ status: 422, body: { code: 'gateway_refused', operation_id: expect.any(String) } });
    expect(first.body.detail).toContain(`may still make it: read GET /v1/operations/${id} before`);
    expect(first.headers.get('x-operation-id')).toBe(id);
    expect((await ask()).text).toBe(first.text);
    await searched(id, 1000);
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'operation_settled', operation_id: id } });
    expect(refunds()).toHaveLength(1);
    expect(books.records).toMatchObject([{ refund_reference_id: `${transaction_id}-01` }]);
  });

  it('the key of a refused one reports when it is free', async () => {
    const { books, relay, refunds, searched } = await setUpTimed(await newStore());
    books.refund = 'refused';
    const ask = () =>
      relay.post('/v1/refund', apiKey, { refund_orders: [item('10.00')] }, { 'idempotency-key': 'k-1' });
    const id = String((await ask()).body.operation_id);
    for (const ms of [1000, 8 * MINUTE, 8 * MINUTE]) await searched(id, ms);
    const again = await ask();
    expect(again).toMatchObject({ status: 422, body: { code: 'gateway_refused', operation_id: id } });
    expect(again.body.detail).toMatch(/Use a new key\.$/);
    documented().check('post', '/v1/refund', again);
    expect(refunds()).toHaveLength(1);
  });
});
