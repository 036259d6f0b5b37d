import { describe, expect, it } from 'vitest';
import { hang, type Script } from '../../support/gateways/scripted-gateway.ts';
import { ordersOf, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { until } from '../../support/time/until.ts';

const failures: [string, Script][] = [
  ['answers 500', (_received, res) => void res.writeHead(500).end('Internal error')],
  ['times out', hang],
];

describe.each(stores)('an order whose query fails, on %s,', (kind) => {
  const newStore = storesOf(kind);

  it.each(failures)('is queried alone, and the others settle, if it %s', async (_, fails) => {
    const resolve = { absent_ms: 3_600_000, first_ms: 200, max_ms: 1000 };
    const stack = await setUpSettlement(newStore, { resolve, timeoutMs: 500 });
    const { scripts, books, session, byCard, becomes, queriesOf, gateway, relay } = stack;
    const answerQuery = scripts.query;
    let bad = '';
    scripts.query = fails;
    const unknownPayment = async () => {
      const one = await session();
      expect((await byCard(one.secret)).body).toEqual({ status: 'unknown' });
      return one;
    };
    const sessions = [];
    for (let n = 0; n < 6; n++) sessions.push(await unknownPayment());
    const [culprit, ...good] = sessions;
    bad = culprit?.orderNo ?? '';
    await until('all are queried at once', () => gateway.queried().some((one) => ordersOf(one).length === 6));
    scripts.query = (received, res, req) =>
      (ordersOf(received).includes(bad) ? fails : answerQuery)(received, res, req);
    for (const { orderNo } of good) books.write(orderNo, `T-${orderNo}`, '3000');
    for (const { id } of good) await becomes(id, { status: 'approved' });
    await until('it is queried alone', () => queriesOf(bad).some((one) => ordersOf(one).length === 1));
    await expect.poll(async () => (await relay.context.store.orders.get('demo', bad))?.queries.apart).toBe(true);
    expect(await relay.truth(culprit?.id ?? '')).toMatchObject({
      status: 'unknown',
      unknown: { needs_attention: false },
    });

    // A later payment without an answer shares no query with it.
    const since = queriesOf(bad).length;
    const later = await unknownPayment();
    books.write(later.orderNo, 'T-later', '3000');
    await becomes(later.id, { status: 'approved', transaction_id: 'T-later' });
    await until('it is queried again', () => queriesOf(bad).length > since);
    for (const query of queriesOf(bad).slice(since)) expect(ordersOf(query)).toEqual([bad]);

    scripts.query = answerQuery;
    books.write(bad, 'T-bad', '3000');
    await becomes(culprit?.id ?? '', { status: 'approved', transaction_id: 'T-bad' });
    expect(gateway.authorised()).toHaveLength(7);
  });
});
