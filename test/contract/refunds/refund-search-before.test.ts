import { describe, expect, it } from 'vitest';
import { RefundBooks } from '../../support/gateways/refund-books.ts';
import { becomes, item, operation, setUp, transaction_id } from '../../support/gateways/refund-lookup.ts';
import { scriptedGateway, sendSigned } from '../../support/gateways/scripted-gateway.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';

describe('the search before a refund', () => {
  it('comes first, and names the order and the transaction', async () => {
    const { gateway, refund, searches } = await setUp();
    expect(
      (await refund([item('1.00', { order_no: 'A-1' }), item('2.00'), item('3.00', { transaction_id: 'T' })])).status,
    ).toBe(200);
    expect(gateway.received.map(({ path }) => path)).toEqual(['/v1/retrievalRefund', '/v1/refund']);
    expect(searches()[0]?.message.refund_orders).toBe(`A-1,${transaction_id},T`);
  });

  const useless: Record<string, (books: RefundBooks) => void> = {
    'is refused': (books) => {
      books.search = (res) => void res.writeHead(400).end();
    },
    'is no success': (books) => {
      books.search = (res, truth) => sendSigned(res, { ...truth, return_status: '0' });
    },
    'is not signed': (books) => {
      books.search = (res, truth) => void res.end(JSON.stringify(truth));
    },
    'is for another account': (books) => {
      books.search = (res, truth) => sendSigned(res, { ...truth, account_id: '9' });
    },
    'names no account': (books) => {
      books.search = (res, truth) => sendSigned(res, { ...truth, account_id: '' });
    },
    'contains a refund without an id': (books) => {
      books.search = (res, truth) =>
        sendSigned(res, { ...truth, refund_orders: [{ ...item('1.00'), refund_reference_id: '' }] });
    },
    'is not answered': (books) => {
      books.search = () => undefined;
    },
    'is cut off': (books) => {
      books.search = (res) => void res.destroy();
    },
  };

  it.each(Object.entries(useless))('that %s delays no refund, but an unknown one needs a person', async (_, spoil) => {
    const { books, relay, refund, searches } = await setUp({
      config: { resolve: { first_ms: 100, max_ms: 500, absent_ms: 300, search_ms: 500 } },
    });
    spoil(books);
    expect((await refund([item('1.00')])).status).toBe(200);
    expect(searches(), 'one search is sent').toHaveLength(1);
    books.refund = 'booked_and_lost';
    const { id } = await refund([item('10.00')]);
    books.search = undefined;
    const unknown = { reason: 'connection_lost', needs_attention: true, last_query: { found: 'ambiguous' } };
    const { body } = await becomes(relay, id, { status: 'unknown', unknown }).then(() =>
      relay.get(`/v1/operations/${id}`, apiKey),
    );
    expect(body.unknown, 'no more searches').not.toHaveProperty('next_query_at');
  });

  it('without an answer still lets later searches release a refund', async () => {
    const { books, relay, refund } = await setUp({
      config: { resolve: { first_ms: 100, max_ms: 500, absent_ms: 300 } },
    });
    books.search = (res) => void res.destroy();
    books.refund = 'lost';
    const { id } = await refund([item('129.90')]);
    books.search = undefined;
    await becomes(relay, id, {
      status: 'settled',
      items: ['failed'],
      settlement: { by: 'refund_search', absent: [0] },
    });
  });

  it('is skipped if the gateway could not read the names', async () => {
    const { books, relay, gateway, refund, searches } = await setUp();
    books.refund = 'booked_and_lost';
    const { id } = await refund([item('1.00', { transaction_id: 'A,B' })]);
    expect(searches()).toEqual([]);
    expect(gateway.sent('/v1/refund')).toHaveLength(1);
    expect(await operation(relay, id)).toMatchObject({ unknown: { needs_attention: true } });
  });
});

it.each(stores.map((kind) => [kind, storesOf(kind)] as const))(
  'the search before a refund ends after resolve.search_ms (%s)',
  async (_, newStore) => {
    const books = new RefundBooks();
    books.search = () => undefined;
    const gateway = await scriptedGateway(books.script);
    const config = { ...(await newStore()), resolve: { first_ms: 100, max_ms: 500, search_ms: 500 } };
    const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 600_000, config });
    expect((await relay.post('/v1/refund', apiKey, { refund_orders: [item('1.00')] })).status).toBe(200);
    const search = relay.logLines.map((line) => JSON.parse(line)).find(({ name }) => name === 'refund_search');
    expect(search).toMatchObject({ result: 'timeout' });
  },
);
