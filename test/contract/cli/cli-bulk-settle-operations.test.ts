import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient, RelayRefused } from '../../../client/index.ts';
import { type CliOptions, cli, jsonLines } from '../../support/operators/cli.ts';
import { apiKey, card } from '../../support/relays/relay.ts';
import { startRelayAndGateway } from '../../support/relays/server-page.ts';

const money = { currency: 'BRL', amount: '129.90' };
const HEAD = 'operation_id,decision,items,note';

/** A relay with captures whose answers were lost, the last one of two items, and the command with a file. */
async function setUp() {
  const relay = await startRelayAndGateway();
  const client = createClient({ url: relay.url, apiKey });
  const items: { transaction_id: string; order_no: string; currency: string; amount: string }[] = [];
  for (const order_no of ['A-1', 'A-2-fault:capture.error_before', 'A-3-fault:capture.error_before']) {
    const payment = await client.payments.create({ order_no, ...money, ...card });
    if (payment.status !== 'approved') throw new Error('not paid');
    items.push({ transaction_id: payment.transaction_id, order_no, ...money });
  }
  const capture = async (capture_orders: typeof items) => {
    const lost = await client.capture({ capture_orders }).catch((error: unknown) => error);
    if (!(lost instanceof RelayRefused && lost.operationId)) throw new Error('the answer was not lost');
    return lost.operationId;
  };
  const [first, second, third] = items;
  if (!first || !second || !third) throw new Error('not paid');
  const ids = [await capture([second]), await capture([first, third])] as const;
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-settle-operations-'));
  const file = join(folder, 'decisions.csv');
  const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
  const settle = async (rows: readonly string[], args: readonly string[] = ['--yes'], options: CliOptions = {}) => {
    const heading = rows[0]?.split(',').length === 5 ? `${HEAD},order_no` : HEAD;
    writeFileSync(file, `${[heading, ...rows].join('\n')}\n`);
    return cli(['bulk', 'settle', file, '--json', ...args], { env, ...options });
  };
  return {
    ...{ client, settle, ids, rows: [`${ids[0]},failed,,outage`, `${ids[1]},failed,"succeeded, failed",report`] },
    results: () => readFileSync(join(folder, 'decisions.results.csv'), 'utf8').trimEnd().split('\n'),
    loseJournal: () => rmSync(`${file}.journal`),
    settlements: async () => {
      const found = await Promise.all(ids.map((id) => client.operations.get(id)));
      return found.map(
        ({ settlement }) => settlement && [...settlement.items, 'note' in settlement && settlement.note],
      );
    },
  };
}

describe('turnpike bulk settle, for operations', () => {
  it('settles operations, and items that differ, each once', async () => {
    const { client, settle, rows, results, settlements } = await setUp();
    const dry = await settle(rows, ['--dry-run']);
    expect({ code: dry.code, lines: jsonLines(dry.out) }, dry.err).toMatchObject({
      ...{ code: 0, lines: [{ rows: 2, to_send: 2, decisions: ['2 failed'] }] },
    });
    expect(await settlements()).toEqual([undefined, undefined]);
    const { code, out, err } = await settle(rows);
    expect({ code, lines: jsonLines(out) }, err).toMatchObject({ code: 0, lines: [{ succeeded: 2, done_before: 0 }] });
    expect(await settlements()).toEqual([
      ['failed', 'outage'],
      ['succeeded', 'failed', 'report'],
    ]);
    expect(results()[0]).toBe(`${HEAD},outcome,message,reference`);
    expect(results()[2]).toMatch(/^op_[\w-]+,failed,"succeeded, failed",report,succeeded,,csv-[a-p]{32}$/);
    expect(jsonLines((await settle(rows)).out)).toMatchObject([{ succeeded: 2, done_before: 0 }]);
    expect((await client.operations.list({ needs_attention: true })).operations).toEqual([]);
  });

  it('recognises decisions whose journal is lost, and refuses others', async () => {
    const { settle, rows, ids, loseJournal, results, settlements } = await setUp();
    expect(await settle(rows)).toMatchObject({ code: 0 });
    loseJournal();
    expect(jsonLines((await settle(rows, ['--dry-run'])).out)).toMatchObject([{ rows: 2, to_send: 0 }]);
    expect(jsonLines((await settle(rows)).out)).toMatchObject([{ succeeded: 2, done_before: 2 }]);
    expect(results()[1]).toMatch(/succeeded,"?done by an earlier request, of 2/);
    loseJournal();
    const other = [`${ids[0]},succeeded,,outage`, `${ids[1]},failed,,report`];
    const dry = await settle(other, ['--dry-run']);
    const message = 'nothing of the operation is unknown: it is settled';
    expect(jsonLines(dry.err).at(-1)).toMatchObject({
      error: { errors: [2, 3].map((line) => ({ path: `line ${line}, operation_id`, message })) },
    });
    const { code, out } = await settle(other);
    expect({ code, lines: jsonLines(out) }).toMatchObject({ code: 1, lines: [{ succeeded: 0, refused: 2 }] });
    expect((await settlements())[0]).toEqual(['failed', 'outage']);
  });

  it('repeats a decision whose answer is lost, and sends it once', async () => {
    const { client, settle, rows, settlements } = await setUp();
    const keys = new Set<string | null>();
    let isCut = true;
    const io = {
      fetch: async (url: string | URL, init: RequestInit) => {
        const answer = await fetch(url, init);
        if (init.method !== 'POST') return answer;
        keys.add(new Headers(init.headers).get('idempotency-key'));
        if (isCut) throw new TypeError('the connection was cut');
        return answer;
      },
      wait: async () => undefined,
    };
    const { code, out } = await settle(rows, ['--yes'], { io });
    expect({ code, lines: jsonLines(out) }).toMatchObject({ code: 0, lines: [{ succeeded: 2, done_before: 0 }] });
    isCut = false;
    expect(await settle(rows, ['--yes'], { io })).toMatchObject({ code: 0 });
    expect(keys.size).toBe(2);
    expect((await settlements())[0]).toEqual(['failed', 'outage']);
    const { entries } = await client.audit.list();
    expect(entries.filter(({ action }) => action === 'operation.settle')).toHaveLength(2);
  });

  it.each([
    ['op_1,failed,,seen', 'operation_id', 'is no operation of the relay'],
    [',failed,,seen', 'operation_id', 'must not be empty'],
    ['ID,failed,,', 'note', 'must not be empty'],
    ['ID,failed,lost,seen', 'items', 'must be one of succeeded, failed'],
    ['ID,failed,,seen,A-1', 'order_no', 'must be empty for failed'],
    ['ID,not_paid,,seen,A-1', 'operation_id', 'must be empty for not_paid'],
  ])('refuses a row: %s', async (row, column, message) => {
    const { settle, ids } = await setUp();
    const { code, err } = await settle([row.replace('ID', ids[0])]);
    expect(code).toBe(2);
    expect(jsonLines(err)).toMatchObject([{ error: { errors: [{ path: `line 2, ${column}`, message }] } }]);
  });

  it('refuses two decisions about one operation', async () => {
    const { settle, rows, ids } = await setUp();
    const { err } = await settle([...rows, `${ids[0]},succeeded,,seen`]);
    const problem = { path: 'line 4, operation_id', message: 'line 2 decides it too' };
    expect(jsonLines(err)).toMatchObject([{ error: { errors: [problem] } }]);
  });
});
