import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../../cli/base/io.ts';
import { createClient } from '../../../client/index.ts';
import { type CliOptions, cli, jsonLines } from '../../support/operators/cli.ts';
import { apiKey, card } from '../../support/relays/relay.ts';
import { startRelayAndGateway } from '../../support/relays/server-page.ts';

const money = { currency: 'BRL', amount: '129.90' };
const HEAD = 'order_no,decision,transaction_id,amount,currency,note';

/** A relay on which `A-1`, `A-2` and `A-3` wait for a Pix payment and `P-1` is paid, and the command with a file. */
async function setUp() {
  const relay = await startRelayAndGateway();
  const client = createClient({ url: relay.url, apiKey });
  for (const order_no of ['A-1', 'A-2', 'A-3']) {
    await client.payments.create({ order_no, ...money, payment_method: 'PIX' });
  }
  await client.payments.create({ order_no: 'P-1', ...money, ...card });
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-settle-'));
  const file = join(folder, 'decisions.csv');
  const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
  /** Settles what these rows say. */
  const settle = async (rows: readonly string[], args: readonly string[] = ['--yes'], options: CliOptions = {}) => {
    const heading = /,R\d$/.test(rows[0] ?? '') ? `${HEAD},reference` : HEAD;
    writeFileSync(file, `${[heading, ...rows].join('\n')}\n`);
    return cli(['bulk', 'settle', file, '--json', ...args], { env, ...options });
  };
  return {
    ...{ client, settle },
    results: () => readFileSync(join(folder, 'decisions.results.csv'), 'utf8').trimEnd().split('\n').slice(1),
    statuses: () =>
      Promise.all(['A-1', 'A-2', 'A-3', 'P-1'].map(async (order) => (await client.orders.get(order)).status)),
    loseJournal: () => rmSync(`${file}.journal`),
  };
}

const ROWS = [
  'A-1,approved,T-9,,,"in the portal, as T-9"',
  'A-2,not_paid,,,,not in the portal',
  'P-1,reversed,,,,charged back',
];

describe('turnpike bulk settle, with a relay and a gateway', () => {
  it('settles orders and payments, each once', async () => {
    const { client, settle, results, statuses } = await setUp();
    const { code, out, err } = await settle(ROWS);
    expect({ code, summary: jsonLines(out)[0] }, err).toMatchObject({
      ...{ code: 0, summary: { operation: 'settle', rows: 3, succeeded: 3, done_before: 0 } },
    });
    expect(await statuses()).toEqual(['paid', 'failed', 'pending', 'reversed']);
    const { payments, sessions } = await client.orders.get('A-1');
    expect(payments).toMatchObject([{ transaction_id: 'T-9', amount: '129.90', proof: 'person' }]);
    expect(sessions[0]?.settled).toMatchObject({ note: 'in the portal, as T-9', outcome: 'approved' });
    expect(results()[0]).toMatch(/^A-1,approved,T-9,,,"in the portal, as T-9",succeeded,,,csv-[a-p]{32}$/);
    // The rows that are done are known again, and the new one is settled.
    const audited = async () =>
      (await client.audit.list()).entries.filter(({ action }) => action === 'session.settle').length;
    expect(await audited()).toBe(2);
    const more = await settle([...ROWS, 'A-3,not_paid,,,,not in the portal']);
    expect(jsonLines(more.out)).toMatchObject([{ rows: 4, succeeded: 4, done_before: 0 }]);
    expect(await audited()).toBe(3);
  });

  it('recognises decisions whose journal is lost', async () => {
    const { settle, loseJournal, results } = await setUp();
    expect(await settle(ROWS)).toMatchObject({ code: 0 });
    loseJournal();
    const { code, out } = await settle(ROWS);
    expect({ code, summary: jsonLines(out)[0] }).toMatchObject({ code: 0, summary: { succeeded: 3, done_before: 3 } });
    expect(results()[1]).toMatch(/succeeded,"?done by an earlier request, of 2/);
    // The same decisions under other names, and one that contradicts them.
    loseJournal();
    const other = await settle(['A-1,not_paid,,,,not in the portal,R1', `${ROWS[1]},R2`]);
    expect({ code: other.code, summary: jsonLines(other.out)[0] }).toMatchObject({
      ...{ code: 4, summary: { succeeded: 1, refused: 1, done_before: 1 } },
    });
    expect(results()[0]).toContain('refused,Nothing of this session is undecided');
  });

  it('repeats a decision without an answer under its key', async () => {
    const { settle, statuses } = await setUp();
    const keys: (string | null)[] = [];
    let isDown = true;
    const fetchLossy: Io['fetch'] = async (url, init) => {
      const answer = await fetch(url, init);
      if (init.method !== 'POST') return answer;
      keys.push(new Headers(init.headers).get('idempotency-key'));
      if (isDown) throw new TypeError('the connection was cut');
      return answer;
    };
    const io = { fetch: fetchLossy, wait: async () => undefined };
    const row = ROWS.slice(1, 2);
    expect(await settle(row, ['--yes'], { io })).toMatchObject({ code: 3 });
    isDown = false;
    const { code, out } = await settle(row, ['--yes'], { io });
    expect({ code, summary: jsonLines(out)[0] }).toMatchObject({ code: 0, summary: { succeeded: 1, done_before: 0 } });
    expect(new Set(keys).size).toBe(1);
    expect((await statuses())[1]).toBe('failed');
  });

  it('says with --dry-run what the relay would refuse', async () => {
    const { settle, statuses } = await setUp();
    const fine = await settle(ROWS, ['--dry-run']);
    expect({ code: fine.code, lines: jsonLines(fine.out) }).toMatchObject({
      ...{ code: 0, lines: [{ rows: 3, to_send: 3, decisions: ['1 approved', '1 not_paid', '1 reversed'] }] },
    });
    const { code, err } = await settle([...ROWS.slice(0, 2), 'P-1,not_paid,,,,no'], ['--dry-run']);
    expect(code).toBe(2);
    const message = 'nothing of the order is undecided: it is paid';
    expect(jsonLines(err).at(-1)).toMatchObject({ error: { errors: [{ path: 'line 4, order_no', message }] } });
    expect(await statuses()).toEqual(['pending', 'pending', 'pending', 'paid']);
  });

  it('asks with the decisions before it begins', async () => {
    const { settle, statuses } = await setUp();
    const { code, err } = await settle(ROWS, [], { answers: ['n'] });
    expect(code).toBe(1);
    expect(err).toContain('Settle 3 rows, 1 approved and 1 not_paid and 1 reversed, in 3 requests to http');
    expect((await statuses())[0]).toBe('pending');
  });

  it.each([
    ['A-1,approved,,,,seen', 'transaction_id', 'must not be empty'],
    ['A-1,not_paid,T-9,,,seen', 'transaction_id', 'must be empty for not_paid'],
    ['P-1,reversed,,1.00,,seen', 'amount', 'must be empty for reversed'],
    ['A-1,paid,,,,seen', 'decision', 'must be approved, not_paid, confirmed, reversed'],
    ['A-1,not_paid,,,,', 'note', 'must say why'],
    ['A-1,not_paid,,,,card 4111 1111 1111 1111', 'note', 'must not hold card data'],
    ['A-9,not_paid,,,,seen', 'order_no', 'is no order of the relay'],
    [',not_paid,,,,seen', 'order_no', 'must not be empty'],
    ['A-1,reversed,,,,seen', 'order_no', 'has no payment'],
    ['P-1,reversed,T-9,,,seen', 'transaction_id', 'is no payment of the order'],
  ])('refuses a row: %s', async (row, column, message) => {
    const { settle } = await setUp();
    const { code, err } = await settle([row]);
    expect(code).toBe(2);
    expect(jsonLines(err)).toMatchObject([{ error: { errors: [{ path: `line 2, ${column}`, message }] } }]);
  });

  it('refuses two decisions about one order', async () => {
    const { settle } = await setUp();
    const { code, err } = await settle([...ROWS, 'A-2,approved,T-1,,,seen']);
    expect(code).toBe(2);
    const problem = { path: 'line 5, order_no', message: 'line 3 decides it too' };
    expect(jsonLines(err)).toMatchObject([{ error: { errors: [problem] } }]);
  });
});
