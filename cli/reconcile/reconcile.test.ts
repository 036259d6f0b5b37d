import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_DIFFERENCES } from '../../shared/api/reconciliation.ts';
import { type BookedOrder, booksRelay, type Troubles } from '../../test/support/operators/books-relay.ts';
import { cli, jsonLines } from '../../test/support/operators/cli.ts';

const now = new Date('2027-03-31T12:00:00Z');
const HOUR_MS = 3_600_000;

/** So many orders, paid evenly over the day before. */
function ordersOfDay(count: number): BookedOrder[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ order_no: `A-${at}`, transaction_id: `T-${at}`, amount: '129.90', currency: 'BRL' },
    at: now.getTime() - 24 * HOUR_MS + at * Math.floor((23 * HOUR_MS) / count),
  }));
}

async function reconcile(here: readonly BookedOrder[], there: readonly BookedOrder[], troubles: Troubles = {}) {
  const relay = booksRelay(here, there, troubles);
  const waits: number[] = [];
  const ended = await cli(['reconcile', '--from', '1d', '--json'], {
    env: { TURNPIKE_URL: 'http://relay.example', TURNPIKE_API_KEY: 'k' },
    io: { now: () => now, wait: async (ms) => void waits.push(ms), fetch: relay.fetch },
  });
  return { ...ended, lines: jsonLines(ended.out), counts: relay.counts, reports: relay.reports, waits };
}

describe('reconcile', () => {
  it('asks little, and a few things at once', async () => {
    const orders = ordersOfDay(2050);
    const { code, lines, counts } = await reconcile(orders, orders);
    expect({ code, lines }).toMatchObject({ code: 0, lines: [{ summary: { orders: 2050 } }] });
    expect(counts).toMatchObject({ lists: 21, orders: 2050, searches: 41 });
    expect(counts.queries).toBeLessThan(21 + 24);
    expect(counts.mostAtOnce).toBeLessThanOrEqual(13);
  });

  it('finds each order that one side lacks, at the edges too', async () => {
    const [first, last] = [0, 99];
    const orders = ordersOfDay(100);
    const others = (lacking: number) => orders.filter((_, at) => at !== lacking);
    const { code, lines } = await reconcile(others(first), others(last));
    expect(code).toBe(4);
    expect(lines).toMatchObject([
      { class: 'missing_there', order_no: 'A-99' },
      { class: 'missing_here', order_no: 'A-0', known: false },
      { summary: { orders: 100, differing: 2 } },
    ]);
  });

  it('reports no order near the edge of the period as missing', async () => {
    const [order] = ordersOfDay(1);
    const at = (hours: number) => (order ? [{ ...order, at: now.getTime() - hours * HOUR_MS }] : []);
    for (const [here, there] of [
      [23, 25],
      [25, 23],
      [100, 23],
      [23, 100],
    ] as const) {
      expect(await reconcile(at(here), at(there))).toMatchObject({ code: 0, lines: [{ summary: { orders: 1 } }] });
    }
  });

  it('finds all where the gateway answers with a hundred at most', async () => {
    const { lines, reports } = await reconcile([], ordersOfDay(1234), { cap: 100 });
    expect(lines.at(-1)).toEqual({
      summary: { orders: 1234, missing_here: 1234, differing: 1234, uncompared: 0, reported: true },
    });
    // The relay gets their number, and as many as it takes.
    expect(reports.map(({ total, differences }) => [total, differences.length])).toEqual([[1234, MAX_DIFFERENCES]]);
  });

  it('asks for less where the gateway is slow', async () => {
    const query: Troubles['query'] = ({ query_start, query_end }) => {
      const width = Date.parse(query_end ?? '') - Date.parse(query_start ?? '');
      return width > HOUR_MS / 2 ? 'gateway_timeout' : undefined;
    };
    const orders = ordersOfDay(50);
    const { code, lines } = await reconcile(orders.slice(1), orders, { query });
    expect({ code, lines }).toMatchObject({ code: 4, lines: [{ class: 'missing_here', order_no: 'A-0' }, {}] });
  });

  it.each([
    ['that no list can hold', 'A,0', 'invalid_request'],
    ['whose record cannot be read', 'A-0', 'gateway_answer_unusable'],
  ] as const)('ends with 3 for an order %s, and compares the others', async (_, order_no, trouble) => {
    const [, ...orders] = ordersOfDay(150);
    const odd = {
      ...orders[0],
      ...{ order_no, transaction_id: 'T', amount: '1.00', currency: 'BRL' },
      at: orders[0]?.at ?? 0,
    };
    const query: Troubles['query'] = ({ orders: asked }) => (asked?.includes(order_no) ? trouble : undefined);
    const { code, lines } = await reconcile([odd, ...orders.slice(1)], [odd, ...orders], { query });
    expect({ code, lines }).toMatchObject({
      code: 4,
      lines: [
        { class: 'missing_here', order_no: 'A-1' },
        { class: 'unknown', order_no, reason: 'cannot_be_asked' },
        { summary: { orders: 150, uncompared: 1 } },
      ],
    });
    expect(await reconcile([odd], [odd], { query })).toMatchObject({ code: 3 });
  });

  it.each([
    ['gateway_timeout', 3],
    ['gateway_refused', 3],
    ['gateway_answer_unusable', 3],
    ['unauthorized', 1],
  ] as const)('gives no result where it cannot read on: %s', async (trouble, exitCode) => {
    let queries = 0;
    const query = () => (++queries > 3 ? trouble : undefined);
    const orders = ordersOfDay(1000);
    const { code, lines, err } = await reconcile(orders, orders, { query });
    expect({ code, lines }).toEqual({ code: exitCode, lines: [] });
    expect(jsonLines(err)).toMatchObject([
      { error: { code: trouble, message: expect.stringMatching(/^The comparison is not complete/) } },
    ]);
  });

  it('asks again after a pause where the gateway is asked too often', async () => {
    let queries = 0;
    const query = () => (++queries === 2 ? 'gateway_refused' : undefined);
    const orders = ordersOfDay(300);
    expect(await reconcile(orders, orders, { query })).toMatchObject({ code: 0, waits: [2000] });
  });

  it.each([
    [['--from', '2027-04-01'], /--from must be before --to/],
    [['--from', '2027-03-01', '--to', '2027-02-01'], /--from must be before --to/],
    [['--from', '1d', '--csv', mkdtempSync(join(tmpdir(), 'turnpike-csv-'))], /is no regular file/],
    [['--from', '1d', '--csv', '/nowhere/x.csv'], /Cannot write \/nowhere\/x\.csv\.part \(ENOENT\)/],
  ])('ends with 2 for wrong usage: %j', async (args, says) => {
    const { fetch } = booksRelay([], []);
    const env = { TURNPIKE_URL: 'http://relay.example', TURNPIKE_API_KEY: 'k' };
    const { code, err } = await cli(['reconcile', ...args], { env, io: { now: () => now, fetch } });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(says) });
  });

  it('writes a CSV without formulas', async () => {
    const { csvOf } = await import('./report.ts');
    const there = { status: 'approved', amount: '1.00', currency: 'BRL' };
    const line = csvOf({ class: 'missing_here', order_no: '=1+1', transaction_id: '@x,"y"', known: false, there });
    expect(line).toBe(`missing_here,'=1+1,"'@x,""y""",,,,,approved,1.00,BRL,order_unknown_here\r\n`);
  });
});
