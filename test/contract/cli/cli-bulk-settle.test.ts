import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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
  /** Settles what these rows say, or the file. */
  const settle = async (rows?: readonly string[], args: readonly string[] = ['--yes'], options: CliOptions = {}) => {
    const heading = /,R\d$/.test(rows?.[0] ?? '') ? `${HEAD},reference` : HEAD;
    if (rows) writeFileSync(file, `${[heading, ...rows].join('\n')}\n`);
    return cli(['bulk', 'settle', file, '--json', ...args], { env, ...options });
  };
  return {
    ...{ client, settle, file },
    results: () => readFileSync(join(folder, 'decisions.results.csv'), 'utf8').trimEnd().split('\n').slice(1),
    statuses: () =>
      Promise.all(['A-1', 'A-2', 'A-3', 'P-1'].map(async (order) => (await client.orders.get(order)).status)),
    loseJournal: () => rmSync(`${file}.journal`),
    writeJournal: (text: string) => writeFileSync(`${file}.journal`, text),
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

  it('applies no decision to a later attempt of its order', async () => {
    const { client, settle, statuses, loseJournal } = await setUp();
    const rows = ['A-1,not_paid,,,,not in the portal', 'A-2,not_paid,,,,not in the portal', ROWS[2] ?? ''];
    expect(await settle(rows)).toMatchObject({ code: 0 });
    await client.payments.create({ order_no: 'A-1', ...money, payment_method: 'PIX' });
    await client.sessions.create({ order: { order_no: 'A-2', ...money } });
    expect(await statuses()).toEqual(['pending', 'open', 'pending', 'reversed']);
    const methods: (string | undefined)[] = [];
    const io: Partial<Io> = {
      fetch: (url, init) => {
        methods.push(init.method);
        return fetch(url, init);
      },
    };
    // With the journal, and without it.
    expect(jsonLines((await settle(rows, ['--yes'], { io })).out)).toMatchObject([{ succeeded: 3, done_before: 0 }]);
    loseJournal();
    const dry = await settle(rows, ['--dry-run'], { io });
    expect({ code: dry.code, lines: jsonLines(dry.out) }).toMatchObject({ code: 0, lines: [{ rows: 3, to_send: 0 }] });
    const again = await settle(rows, ['--no-input'], { io });
    expect({ code: again.code, lines: jsonLines(again.out) }).toMatchObject({
      ...{ code: 0, lines: [{ succeeded: 3, done_before: 3 }] },
    });
    expect(methods.filter((method) => method !== 'GET' && method !== undefined)).toEqual([]);
    expect(await statuses()).toEqual(['pending', 'open', 'pending', 'reversed']);
    // Another note is another decision.
    expect(await settle(['A-1,not_paid,,,,not there on Tuesday'])).toMatchObject({ code: 0 });
    expect((await statuses())[0]).toBe('failed');
  });

  it('compares the amounts of decisions by value', async () => {
    const { client, settle, loseJournal } = await setUp();
    expect(await settle(['A-1,approved,T-9,129.90,,seen'])).toMatchObject({ code: 0 });
    for (const [row, isDone] of [
      ['A-1,approved,T-9,,,seen', true],
      ['A-1,approved,T-9,0129.90,BRL,seen', true],
      ['A-1,approved,T-9,29.90,,seen', false],
      ['A-1,approved,T-9,129.90,USD,seen', false],
      ['A-1,approved,T-8,,,seen', false],
    ] as const) {
      loseJournal();
      const { code, out } = await settle([row]);
      const [summary] = jsonLines(out);
      expect({ row, code, summary }).toMatchObject({ code: isDone ? 0 : 1, summary: { done_before: isDone ? 1 : 0 } });
    }
    expect((await client.orders.get('A-1')).payments).toMatchObject([{ transaction_id: 'T-9', amount: '129.90' }]);
  });

  it('refuses a decision about a payment that was decided otherwise since', async () => {
    const { client, settle, loseJournal, statuses } = await setUp();
    expect(await settle(['P-1,confirmed,,,,seen on Monday'])).toMatchObject({ code: 0 });
    const [payment] = (await client.orders.get('P-1')).payments;
    const reversed = { outcome: 'reversed', note: 'charged back on Tuesday' } as const;
    await client.payments.settle(payment?.transaction_id ?? '', reversed);
    loseJournal();
    const { code, err } = await settle(['P-1,confirmed,,,,seen on Monday']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('was decided before (reversed)') });
    expect((await statuses())[3]).toBe('reversed');
  });

  it('refuses a decision that is older than the attempt', async () => {
    const { settle, file, statuses } = await setUp();
    writeFileSync(file, `${HEAD}\nA-1,not_paid,,,,not there on Monday\n`);
    utimesSync(file, new Date(), new Date(Date.now() - 86_400_000));
    const { code, err } = await settle();
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('began after the file was written') });
    expect((await statuses())[0]).toBe('pending');
  });

  it('refuses a decision if another attempt is undecided when it is sent', async () => {
    const { client, settle, statuses } = await setUp();
    const askLine = async () => {
      const [session] = (await client.orders.get('A-1')).sessions;
      await client.sessions.settle(session?.id ?? '', { outcome: 'not_paid', note: 'seen by Ada' });
      await client.payments.create({ order_no: 'A-1', ...money, payment_method: 'PIX' });
      return 'y';
    };
    const { out } = await settle(['A-1,not_paid,,,,not there on Monday'], [], { io: { askLine } });
    expect(jsonLines(out)).toMatchObject([{ succeeded: 0, refused: 1 }]);
    expect((await statuses())[0]).toBe('pending');
  });

  it('looks right before it sends, too', async () => {
    const { client, settle, statuses } = await setUp();
    const row = ['A-1,not_paid,,,,not in the portal'];
    // Another machine decides the same between the check of the file and the question.
    const askLine = async () => {
      const [session] = (await client.orders.get('A-1')).sessions;
      await client.sessions.settle(session?.id ?? '', { outcome: 'not_paid', note: 'not in the portal' });
      await client.payments.create({ order_no: 'A-1', ...money, payment_method: 'PIX' });
      return 'y';
    };
    const { code, out } = await settle(row, [], { io: { askLine } });
    expect({ code, lines: jsonLines(out) }).toMatchObject({ code: 0, lines: [{ succeeded: 1, done_before: 1 }] });
    expect((await statuses())[0]).toBe('pending');
  });

  it('says what a run without its journal knows', async () => {
    const { settle, writeJournal } = await setUp();
    writeJournal('no journal\n');
    const { code, err } = await settle(ROWS);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('with the same note') });
    expect(err).not.toContain('references');
  });

  it('repeats a decision without an answer under its key', async () => {
    const { settle, statuses } = await setUp();
    const keys: (string | null)[] = [];
    let cut: 'answers to decisions' | 'everything after one' | 'nothing' = 'everything after one';
    const fetchLossy: Io['fetch'] = async (url, init) => {
      const answer = await fetch(url, init);
      if (init.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'));
      const isCut = cut === 'everything after one' ? keys.length > 0 : cut !== 'nothing' && init.method === 'POST';
      if (isCut) throw new TypeError('the connection was cut');
      return answer;
    };
    const io = { fetch: fetchLossy, wait: async () => undefined };
    const [first = '', row = ''] = ROWS;
    expect(await settle([row], ['--yes'], { io })).toMatchObject({ code: 3 });
    cut = 'nothing';
    const { code, out } = await settle([row], ['--yes'], { io });
    expect({ code, summary: jsonLines(out)[0] }).toMatchObject({ code: 0, summary: { succeeded: 1, done_before: 0 } });
    expect(new Set(keys).size).toBe(1);
    expect((await statuses())[1]).toBe('failed');
    // The order shows the run its own decision.
    cut = 'answers to decisions';
    const other = await settle([first, row], ['--yes'], { io });
    expect({ code: other.code, summary: jsonLines(other.out)[0] }).toMatchObject({
      ...{ code: 0, summary: { succeeded: 2, done_before: 0 } },
    });
    expect(new Set(keys).size).toBe(2);
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
    [
      'A-1,approved,T-9,1.000,,seen',
      'amount',
      'has more decimals than BRL has: if its point separates thousands, give --decimal ,',
    ],
    ['A-1,paid,,,,seen', 'decision', 'must be approved, not_paid, confirmed, reversed, succeeded, failed'],
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
