import { describe, expect, it } from 'vitest';
import { ordersOf, patient, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { until } from '../../support/time/until.ts';

describe.each(stores)('one refused order in a notified batch, on %s', (kind) => {
  const newStore = storesOf(kind);

  /**
   * Four unknown payments, all notified. The gateway refuses every query about the first, each after the test has `seen`
   * the result of the previous one.
   */
  async function notifiedTogether(resolve: object, seen = { looks: Number.POSITIVE_INFINITY }) {
    const stack = await setUpSettlement(newStore, { resolve: { absent_ms: 3_600_000, ...resolve } });
    const { scripts, books, session, byCard, notify } = stack;
    const answerQuery = scripts.query;
    const bad = await session();
    const good = [await session(), await session(), await session()];
    const sessions = [bad, ...good];
    scripts.query = async (received, res, req) => {
      if (!ordersOf(received).includes(bad.orderNo)) return answerQuery(received, res, req);
      // The relay may query once more while the test ends.
      const truth = await stack.relay.truth(bad.id).catch(() => undefined);
      const looks = looksIn(truth?.unknown) ?? 0;
      await until('the previous result is seen', () => seen.looks >= looks);
      res.writeHead(400).end('Invalid input');
    };
    for (const { secret } of sessions) expect((await byCard(secret)).body).toEqual({ status: 'unknown' });
    for (const { orderNo } of good) books.write(orderNo, `T-${orderNo}`, '3000');
    await Promise.all(sessions.map(({ id }) => notify(id)));
    return { ...stack, bad, good, answerQuery };
  }

  it('backs off alone; the others are settled and queried no more', async () => {
    const seen = { looks: 0 };
    const { relay, becomes, bad, good, queriesOf } = await notifiedTogether({ first_ms: 2000, max_ms: 60_000 }, seen);
    for (const { id, orderNo } of good) await becomes(id, { status: 'approved', transaction_id: `T-${orderNo}` });
    const queries = good.map(({ orderNo }) => queriesOf(orderNo).length);
    const waits: number[] = [];
    for (let looks = 1; looks <= 3; looks++) {
      await expect
        .poll(async () => (await relay.truth(bad.id)).unknown, { interval: 20 })
        .toMatchObject({ queries: looks, last_query: { found: 'query_refused' } });
      const { unknown } = await relay.truth(bad.id);
      expect(unknown).toMatchObject({ next_query_at: expect.any(String), last_query: { at: expect.any(String) } });
      waits.push(waitIn(unknown));
      seen.looks = looks;
    }
    const [first = 0, second = 0, third = 0] = waits;
    expect(second).toBeGreaterThan(first * 1.5);
    expect(third).toBeGreaterThan(second * 1.5);
    expect(good.map(({ orderNo }) => queriesOf(orderNo).length)).toEqual(queries);
    expect(queriesOf(bad.orderNo).length).toBeLessThanOrEqual(6);
  });

  it('needs a person after the search ends, settles by later query', async () => {
    const { scripts, answerQuery, books, becomes, notify, bad, webhooksOf } = await notifiedTogether({
      give_up_ms: 1500,
    });
    await becomes(bad.id, { status: 'unknown', unknown: { needs_attention: true } });
    expect(await webhooksOf(bad.id, 2)).toEqual(['session.unknown', 'session.unknown']);
    scripts.query = answerQuery;
    books.write(bad.orderNo, 'T-bad', '3000');
    await notify(bad.id);
    await becomes(bad.id, { status: 'approved', transaction_id: 'T-bad' });
  });

  it('is queried once for many notifications', async () => {
    const { notify, becomes, relay, bad, good, queriesOf } = await notifiedTogether(patient);
    for (const { id } of good) await becomes(id, { status: 'approved' });
    await becomes(bad.id, { unknown: { queries: 1 } });
    const other = good[0]?.orderNo ?? '';
    const queries = queriesOf(other).length;
    for (let time = 0; time < 20; time++) await notify(bad.id);
    for (const { id } of good.slice(0, 1)) await notify(id);
    await expect.poll(() => queriesOf(other).length).toBeGreaterThan(queries);
    const { unknown } = await relay.truth(bad.id);
    expect([1, 2]).toContain(looksIn(unknown));
  });
});

function waitIn(unknown: unknown): number {
  if (typeof unknown !== 'object' || unknown === null) throw new Error('not unknown');
  if (!('next_query_at' in unknown) || !('last_query' in unknown)) throw new Error('not looked at');
  const { next_query_at, last_query } = unknown;
  if (typeof last_query !== 'object' || last_query === null || !('at' in last_query)) throw new Error('not looked at');
  return Date.parse(String(next_query_at)) - Date.parse(String(last_query.at));
}

function looksIn(unknown: unknown): number | undefined {
  const isLooked = typeof unknown === 'object' && unknown !== null && 'queries' in unknown;
  return isLooked ? Number(unknown.queries) : undefined;
}
