import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bulkRelay, refundRows } from '../../test/support/operators/bulk-relay.ts';
import { cli, jsonLines } from '../../test/support/operators/cli.ts';
import { problemReply, scriptedKey } from '../../test/support/operators/scripted-relay.ts';
import { headerOf } from './journal/journal.ts';

const HEAD = 'transaction_id,currency,amount,refund_amount,refund_reason';

describe('turnpike bulk', () => {
  it('sends a file in requests of fifty, and writes results in order', async () => {
    const relay = await bulkRelay();
    relay.write(refundRows(120));
    const { code, out } = await relay.run();
    expect(code).toBe(0);
    expect(jsonLines(out)).toMatchObject([{ operation: 'refund', rows: 120, succeeded: 120, unknown: 0 }]);
    expect(relay.sent.map(({ body }) => body.refund_orders.length)).toEqual([50, 50, 20]);
    const [heading, ...lines] = readFileSync(join(relay.folder, 'refunds.results.csv'), 'utf8').trim().split('\n');
    expect(heading).toBe('transaction_id,currency,amount,refund_amount,outcome,message,operation_id,reference');
    expect(lines.map((line) => line.split(',')[0])).toEqual(Array.from({ length: 120 }, (_, at) => `T${at}`));
    expect(lines[119]).toMatch(/^T119,BRL,10.00,1.00,succeeded,,op_bulk-[a-p]{32},csv-[a-p]{32}$/);
    // Again there is nothing to send, and nothing to ask.
    expect(await relay.run(['--no-input'])).toMatchObject({ code: 0 });
    expect(relay.sent).toHaveLength(3);
    expect(readdirSync(relay.folder).filter((name) => /lock|tmp/.test(name))).toEqual([]);
  });

  it('checks all rows first, and names each line that is wrong', async () => {
    const relay = await bulkRelay();
    relay.write(
      [
        HEAD,
        'T1,BRL,10.00,1.00,"two\nlines"',
        'T2,BRL,10.00,"1,00",',
        ',BRL,10.00,1.00,',
        'T4,BRL,10.00,11.00,',
        'T5,BRL,10.00,1.005,',
        'T6,BRL,10.00,1.00,card 4111 1111 1111 1111',
        'T7,BRL,10.00,1.00',
      ].join('\r\n'),
    );
    const { code, err } = await relay.run();
    expect(code).toBe(2);
    expect(jsonLines(err)).toMatchObject([
      {
        error: {
          message: expect.stringContaining('6 of 7 rows'),
          errors: [
            { path: 'line 4, refund_amount', message: expect.stringContaining('decimal string') },
            { path: 'line 5, transaction_id', message: 'must not be empty' },
            expect.objectContaining({ path: 'line 5, transaction_id' }),
            { path: 'line 6, refund_amount', message: 'must not be more than the amount' },
            { path: 'line 7, refund_amount', message: expect.stringContaining('has more decimals than BRL has') },
            { path: 'line 8, refund_reason', message: 'must not hold card data' },
            { path: 'line 9', message: expect.stringContaining('has 4 cells') },
          ],
        },
      },
    ]);
    expect(err).not.toContain('4111');
    expect(relay.sent).toEqual([]);
    expect(existsSync(`${relay.file}.journal`)).toBe(false);
  });

  it.each([
    [
      'currency,amount,refund_amount\nBRL,1.00,1.00\n',
      /column transaction_id is missing.*A column order_no can stand for transaction_id/,
    ],
    ['transaction_id,transaction_id\n1,2\n', /is there twice/],
    [refundRows(0), /has no rows/],
    ['', /is empty/],
    [
      'transaction_id,currency,amount,refund_amount,reference\nT1,BRL,1.00,1.00,R1\nT2,BRL,1.00,1.00,R1\n',
      /line 3, reference.*is that of line 2 too/,
    ],
  ])('refuses a file: %j', async (text, says) => {
    const relay = await bulkRelay();
    relay.write(text);
    const { code, err } = await relay.run();
    expect(code).toBe(2);
    expect(err.replaceAll('\n', ' ')).toMatch(says);
    expect(relay.sent).toEqual([]);
  });

  it('prints progress as lines into a pipe', async () => {
    const relay = await bulkRelay();
    relay.write(refundRows(120));
    const { err } = await relay.run();
    expect(jsonLines(err)).toEqual([50, 100, 120].map((done) => ({ progress: { done, total: 120 } })));
  });

  it.each([
    ['66392900000000000000,A-1', 'transaction_id in line 2: five zeros'],
    ['T1,1234567890100000', 'order_no in line 2: five zeros'],
  ])('warns of ids that a spreadsheet may have rounded: %s', async (ids, says) => {
    const relay = await bulkRelay();
    relay.write(`transaction_id,order_no,currency,amount,refund_amount\n${ids},BRL,9.00,1.00\n`);
    const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: scriptedKey };
    const { code, err } = await cli(['bulk', 'refund', relay.file, '--dry-run'], { env });
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining(says),
    });
  });

  it('says with --dry-run what it would send, and leaves no trace', async () => {
    const relay = await bulkRelay();
    relay.write(refundRows(120));
    const { code, out } = await relay.run(['--dry-run']);
    expect(code).toBe(0);
    expect(jsonLines(out)).toEqual([
      {
        ...{
          operation: 'refund',
          rows: 120,
          to_send: 120,
          amounts: ['120.00 BRL'],
          left_over: { rows: 0, amounts: [] },
        },
        ...{ asked: true, unknown_payments: 120 },
      },
    ]);
    expect(relay.sent).toEqual([]);
    expect(readdirSync(relay.folder)).toEqual(['refunds.csv']);
  });

  it('asks with the sum before it begins', async () => {
    const relay = await bulkRelay();
    relay.write(refundRows(120));
    const unasked = await relay.run([]);
    expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining('Give --yes') });
    const asked = await cli(['bulk', 'refund', relay.file], {
      env: { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: scriptedKey },
      answers: ['n'],
    });
    expect(asked.code).toBe(1);
    expect(asked.err).toContain(`Refund 120 rows, 120.00 BRL, in 3 requests to ${relay.url}? [y/N]`);
    expect(relay.sent).toEqual([]);
  });

  it('shows a bar with rate and time left on a terminal', async () => {
    const relay = await bulkRelay();
    relay.write(refundRows(60));
    const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: scriptedKey };
    const { err } = await cli(['bulk', 'refund', relay.file, '--yes'], { env, isTerminal: true });
    expect(err).toMatch(/░ 0% {2}0 of 60 rows {2}0 rows\/s/);
    expect(err).toMatch(/100% {2}60 of 60 rows {2}\d+ rows\/s {2}\d+s left/);
  });

  it('stops at Ctrl-C after the current request, and says how to resume', async () => {
    let interrupt = (): void => undefined;
    const relay = await bulkRelay((_, number) => {
      if (number === 2) interrupt();
      return undefined;
    });
    relay.write(refundRows(200));
    const io = {
      onInterrupt: (interrupted: () => void) => {
        interrupt = interrupted;
        return () => {
          interrupt = () => undefined;
        };
      },
    };
    const stopped = await cli(['bulk', 'refund', relay.file, '--yes', '--concurrency', '1'], {
      env: { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: scriptedKey },
      io,
    });
    expect(stopped.code).toBe(4);
    expect(stopped.err).toMatch(/Ctrl-C again ends at once[\s\S]+run the same command again/);
    expect(stopped.out).toMatch(/succeeded\s+100\n[\s\S]*not sent\s+100/);
    expect(relay.sent).toHaveLength(2);
    const { code, out } = await relay.run();
    expect(code).toBe(0);
    expect(jsonLines(out)).toMatchObject([{ succeeded: 200 }]);
    expect(relay.sent).toHaveLength(4);
  });

  it('stops where the file is written to meanwhile', async () => {
    const relay = await bulkRelay((_, number) => {
      if (number === 1) relay.write(refundRows(300));
      return undefined;
    });
    relay.write(refundRows(200));
    const { code, err } = await relay.run();
    expect({ code, err }).toMatchObject({ code: 4, err: expect.stringContaining('was changed while') });
    expect(relay.sent).toHaveLength(1);
    const next = await relay.run();
    expect(jsonLines(next.out)).toMatchObject([{ rows: 300, succeeded: 300 }]);
    expect(relay.sent).toHaveLength(6);
  });

  it('writes results that no spreadsheet takes for formulas, and reads them again', async () => {
    const relay = await bulkRelay();
    relay.write(`${HEAD},reference\nT1,BRL,10.00,1.00,=1+1,@a\n`);
    expect(await relay.run()).toMatchObject({ code: 0 });
    const results = join(relay.folder, 'refunds.results.csv');
    expect(readFileSync(results, 'utf8')).toContain("T1,BRL,10.00,1.00,'=1+1,'@a,succeeded");
    relay.write(`${HEAD},reference\nT1,BRL,10.00,1.00,'=1+1,'@a\n`);
    expect(await relay.run()).toMatchObject({ code: 0 });
    expect(relay.sent).toHaveLength(1);
    expect(relay.sent[0]?.body).toMatchObject({ references: ['@a'], refund_orders: [{ refund_reason: '=1+1' }] });
  });

  it('overwrites neither the file itself nor anything that is no journal', async () => {
    const relay = await bulkRelay();
    relay.write(refundRows(1));
    expect(await relay.run(['--yes', '--out', relay.file])).toMatchObject({ code: 2 });
    expect(await relay.run(['--yes', '--out', relay.folder])).toMatchObject({ code: 2 });
    const customers = join(relay.folder, 'customers.csv');
    writeFileSync(customers, 'name\nAda\n');
    expect(await relay.run(['--yes', '--out', customers])).toMatchObject({ code: 2 });
    expect(readFileSync(customers, 'utf8')).toBe('name\nAda\n');
    expect(await relay.run(['--yes', '--journal', '/dev/null'])).toMatchObject({ code: 2 });
    expect(await relay.run(['--yes', '--journal', relay.file])).toMatchObject({ code: 2 });
    const other = join(relay.folder, 'other');
    for (const text of ['a secret without an end of line', '{"type":"x"}\n']) {
      writeFileSync(other, text);
      expect(await relay.run(['--yes', '--journal', other])).toMatchObject({ code: 2 });
      expect(readFileSync(other, 'utf8')).toBe(text);
    }
    expect(relay.sent).toEqual([]);
  });
});

describe('a journal of an earlier version', () => {
  const DONE = 'done by an earlier request, of 2026-11-23T10:00:00Z';
  const USED = 'not with these values: its reference was used with 2.00 BRL of T3';

  /** The journal's line of one row with its answer. */
  function linesOf(id: number, answer: object | undefined): string[] {
    const item = { transaction_id: `T${id}`, currency: 'BRL', amount: '10.00', refund_amount: '1.00' };
    const chunk = { type: 'chunk', id, key: `bulk-${id}`, tries: 0, references: [`R${id}`], items: [item] };
    return [chunk, ...(answer ? [{ type: 'answer', id, items: [answer], operation: `op_${id}` }] : [])].map((line) =>
      JSON.stringify(line),
    );
  }

  it('gives each row the result that it had', async () => {
    const relay = await bulkRelay(() => problemReply('relay_paused'));
    const answers = [
      { outcome: 'succeeded' },
      { outcome: 'failed', message: 'E1: declined' },
      { outcome: 'succeeded', message: DONE },
      { outcome: 'succeeded', message: `${USED}; ${DONE}` },
      { outcome: 'succeeded', message: `with other values under this reference; ${DONE}` },
      { outcome: 'unknown', message: `${DONE}; timeout` },
      { outcome: 'refused', message: 'currency: must be USD' },
      { outcome: 'released' },
      undefined,
    ];
    const { key } = headerOf('refund', { url: relay.url, apiKey: scriptedKey });
    const header = `{"type":"bulk","version":1,"operation":"refund","relay":"${relay.url}","key":"${key}"}`;
    writeFileSync(
      `${relay.file}.journal`,
      `${[header, ...answers.flatMap((one, id) => linesOf(id, one))].join('\n')}\n`,
    );
    const rows = [...answers.keys(), 9].map((at) => `T${at},BRL,10.00,${at === 2 ? '3.00' : '1.00'},R${at}`);
    relay.write(['transaction_id,currency,amount,refund_amount,reference', ...rows].join('\n'));
    const { code, out } = await relay.run();
    const counted = { succeeded: 2, failed: 3, refused: 1, unknown: 2, not_sent: 2, done_before: 4 };
    expect({ code, lines: jsonLines(out) }).toMatchObject({ code: 3, lines: [{ rows: 10, ...counted }] });
    expect(new Set(relay.sent.map(({ key }) => key))).toEqual(new Set(['bulk-8']));
    expect(readFileSync(join(relay.folder, 'refunds.results.csv'), 'utf8').split('\n').slice(1)).toEqual([
      `${rows[0]},succeeded,,op_0`,
      `${rows[1]},failed,E1: declined,op_1`,
      `${rows[2]},failed,"not with these values: its reference was used with 1.00 BRL of T2; ${DONE}",op_2`,
      `${rows[3]},failed,"${USED}; ${DONE}",op_3`,
      `${rows[4]},succeeded,"with other values under this reference; ${DONE}",op_4`,
      `${rows[5]},unknown,"${DONE}; timeout",op_5`,
      `${rows[6]},refused,currency: must be USD,op_6`,
      `${rows[7]},not_sent,,`,
      `${rows[8]},unknown,no answer came; the next run asks again with the same key,`,
      `${rows[9]},not_sent,,`,
      '',
    ]);
  });
});

describe('what the relay refuses', () => {
  it('is reported by line, and the other rows of its request succeed', async () => {
    const relay = await bulkRelay(({ body }) => {
      const at = body.refund_orders.findIndex(({ transaction_id }) => transaction_id === 'T7');
      if (at < 0) return undefined;
      const errors = [{ path: `refund_orders.${at}.refund_amount`, message: 'must not be more than 0.50' }];
      return problemReply('refund_exceeds_payment', { errors });
    });
    relay.write(refundRows(60));
    const { code, out } = await relay.run();
    expect(code).toBe(4);
    expect(jsonLines(out)).toMatchObject([{ succeeded: 59, refused: 1 }]);
    const line = readFileSync(join(relay.folder, 'refunds.results.csv'), 'utf8').split('\n')[8];
    expect(line).toContain('T7,BRL,10.00,1.00,refused,refund_amount: must not be more than 0.50,,');
  });

  it('is sent again by the next run, under another key', async () => {
    let isRefusing = true;
    const relay = await bulkRelay(({ body }) => {
      if (!isRefusing) return undefined;
      const errors = body.refund_orders.map((_, at) => ({
        path: `refund_orders.${at}.currency`,
        message: 'must be USD',
      }));
      return problemReply('invalid_request', { errors });
    });
    relay.write(refundRows(3));
    expect(await relay.run()).toMatchObject({ code: 1 });
    isRefusing = false;
    expect(await relay.run()).toMatchObject({ code: 0 });
    expect(new Set(relay.sent.map(({ key }) => key)).size).toBe(2);
  });

  it('sends the other rows once, also of a request that is repeated', async () => {
    let isDown = true;
    const done: string[] = [];
    const relay = await bulkRelay(({ body }) => {
      if (isDown) return 'drop';
      const at = body.refund_orders.findIndex(({ transaction_id }) => /^T(7|57|107)$/.test(transaction_id ?? ''));
      const errors = [{ path: `refund_orders.${at}.currency`, message: 'must be USD' }];
      if (at >= 0) return problemReply('invalid_request', { errors });
      done.push(...body.references);
      return undefined;
    });
    relay.write(refundRows(400));
    expect(await relay.run(['--yes', '--concurrency', '3'])).toMatchObject({ code: 3 });
    isDown = false;
    const before = relay.sent.length;
    // Its rows come last now, when it has long been repeated.
    const [heading, ...rows] = refundRows(400).trim().split('\n');
    relay.write([heading, ...rows.reverse()].join('\n'));
    const { out } = await relay.run(['--yes', '--concurrency', '3']);
    expect(jsonLines(out)).toMatchObject([{ succeeded: 397, refused: 3 }]);
    const sent = relay.sent.slice(before).flatMap(({ body }) => body.refund_orders.map((one) => one.transaction_id));
    expect(sent.filter((transaction) => transaction === 'T7')).toHaveLength(1);
    expect(new Set(done).size).toBe(397);
    expect(done).toHaveLength(397);
  });

  it('ends the run where every request would be refused', async () => {
    const relay = await bulkRelay(() => problemReply('unauthorized'));
    relay.write(refundRows(200));
    const { code, out, err } = await relay.run();
    expect(code).toBe(1);
    expect(err).toContain('Check --key-file');
    expect(jsonLines(out)).toMatchObject([{ not_sent: 200, unknown: 0 }]);
    expect(relay.sent).toHaveLength(1);
  });
});

describe('an outage', () => {
  it('of a paused relay ends the run, and leaves nothing unknown', async () => {
    const relay = await bulkRelay(() => problemReply('relay_paused'));
    relay.write(refundRows(100));
    const { code, out } = await relay.run();
    expect({ code, lines: jsonLines(out) }).toMatchObject({ code: 1, lines: [{ not_sent: 100, unknown: 0 }] });
    expect(new Set(relay.sent.map(({ key }) => key)).size).toBe(1);
  });

  it.each([
    ['a proxy’s rate limit', { status: 429, headers: { 'retry-after': '7' }, body: 'slow down' }],
    ['a gateway that is away', problemReply('gateway_unreachable')],
    ['a lost connection', 'drop'],
  ] as const)('is waited out under the same key: %s', async (_, reply) => {
    const relay = await bulkRelay((_sent, number) => (number <= 9 ? reply : undefined));
    relay.write(refundRows(10));
    expect(await relay.run()).toMatchObject({ code: 0 });
    expect(relay.sent).toHaveLength(10);
    expect(new Set(relay.sent.map(({ key, body }) => JSON.stringify([key, body]))).size).toBe(1);
    expect(relay.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(5000);
    if (typeof reply === 'object' && reply.status === 429) expect(relay.waits).toContain(7000);
  });

  it('leaves rows unknown when it lasts, and the next run repeats them', async () => {
    let isDown = true;
    const relay = await bulkRelay((_, number) => (isDown && number > 1 ? 'drop' : undefined));
    relay.write(refundRows(150));
    const { code, out, err } = await relay.run();
    expect(code).toBe(3);
    expect(jsonLines(out)).toMatchObject([{ succeeded: 50, unknown: 50, not_sent: 50 }]);
    expect(err).toContain('Run the same command again');
    const asked = await relay.run(['--no-input']);
    expect(asked.err).toContain('Refund 50 of 150 rows, 50.00 BRL, in 1 requests');
    expect(asked.err).toContain('after 50 rows as an earlier run left them over, 50.00 BRL?');
    isDown = false;
    const lost = relay.sent.at(-1);
    const before = relay.sent.length;
    expect(await relay.run()).toMatchObject({ code: 0 });
    expect(relay.sent[before]).toEqual(lost);
    expect(relay.sent).toHaveLength(before + 2);
  });
});
