import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Io } from '../../../cli/base/io.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { RefundBooks } from '../../support/gateways/refund-books.ts';
import { type Script, scriptedGateway, sendSigned } from '../../support/gateways/scripted-gateway.ts';
import { cli, jsonLines } from '../../support/operators/cli.ts';
import { account, apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { startRelayAndGateway } from '../../support/relays/server-page.ts';

const result = z.looseObject({ outcome: z.string(), message: z.string(), operation_id: z.string() });

/** A folder with a file of rows, and the command with a relay. */
function shopOf(url: string, io: Partial<Io> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bulk-'));
  return async (operation: string, name: string, rows: readonly object[]) => {
    const columns = Object.keys(rows[0] ?? {});
    const lines = rows.map((row) => Object.values(row).join(';'));
    writeFileSync(join(folder, `${name}.csv`), `${[columns.join(';'), ...lines].join('\n')}\n`);
    const args = ['bulk', operation, join(folder, `${name}.csv`), '--yes', '--json'];
    const ended = await cli(args, { env: { TURNPIKE_URL: url, TURNPIKE_API_KEY: apiKey }, io });
    const text = readFileSync(join(folder, `${name}.results.csv`), 'utf8');
    const results = z.array(result).parse(parse(text, { columns: true, delimiter: ';' }));
    return { ...ended, summary: jsonLines(ended.out)[0], results };
  };
}

async function startPaidRelay() {
  const relay = await startRelayAndGateway();
  const pay = async () => {
    const asked = order();
    const { body } = await relay.post('/v1/payments', apiKey, { ...asked, ...card });
    return { transaction_id: String(body.transaction_id), currency: asked.currency, amount: asked.amount };
  };
  return { relay, pay, run: shopOf(relay.url) };
}

describe('turnpike bulk, with a relay and a gateway', () => {
  it.each(['capture', 'cancel'])('does a %s and reports the gateway’s message for a failure', async (operation) => {
    const { pay, run } = await startPaidRelay();
    const [one, two] = [await pay(), await pay()];
    const { code, summary, results } = await run(operation, operation, [
      one,
      { ...two, transaction_id: '0'.repeat(20) },
      two,
    ]);
    expect(code).toBe(4);
    expect(summary).toMatchObject({ operation, rows: 3, succeeded: 2, failed: 1 });
    expect(results.map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed', 'succeeded']);
    expect(results[1]?.message).not.toBe('');
    expect(results[0]?.operation_id).toMatch(/^op_/);
  });

  it('does a review', async () => {
    const { pay, run } = await startPaidRelay();
    const { code, summary } = await run('review', 'review', [{ ...(await pay()), review_flag: '1' }]);
    expect({ code, summary }).toMatchObject({ code: 0, summary: { operation: 'review', succeeded: 1 } });
  });

  it('names the line that the relay refuses, and does the others', async () => {
    const { pay, run } = await startPaidRelay();
    const paid = await pay();
    const rows = ['100.00', '20.00', '20.00', '9.00'].map((refund_amount) => ({ ...paid, refund_amount }));
    const { code, results } = await run('refund', 'refunds', rows);
    expect(code).toBe(4);
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual([
      'refused',
      'succeeded',
      'succeeded',
      'succeeded',
    ]);
    expect(results.find(({ outcome }) => outcome === 'refused')?.message).toMatch(
      /^refund_amount: must not be more than/,
    );
  });

  it('recognises what another file did under the same reference', async () => {
    const { pay, run, relay } = await startPaidRelay();
    const paid = await pay();
    const row = (reference: string, refund_amount: string) => ({ ...paid, refund_amount, reference });
    expect(await run('refund', 'monday', [row('R1', '1.00'), row('R2', '2.00')])).toMatchObject({ code: 0 });
    const rows = [row('R3', '3.00'), row('R2', '9.00'), row('R1', '1.00')];
    const { code, summary, results } = await run('refund', 'tuesday', rows);
    expect({ code, summary }).toMatchObject({ code: 4, summary: { succeeded: 2, failed: 1, done_before: 2 } });
    expect(results.map(({ message }) => message.replace(/of [\dTZ:.-]+/g, 'of …'))).toEqual([
      '',
      'not with these values: its reference was used with 2.00 BRL of …; done by an earlier request, of …',
      'done by an earlier request, of …',
    ]);
    const { body } = await relay.get(`/v1/orders?transaction_id=${paid.transaction_id}`, apiKey);
    const [found] = z.array(z.object({ order_no: z.string() })).parse(body.orders);
    expect((await relay.get(`/v1/orders/${found?.order_no}`, apiKey)).body).toMatchObject({ refunded: '6.00' });
  });

  it('reports that an equal file was done before', async () => {
    const { pay, run } = await startPaidRelay();
    const row = { ...(await pay()), refund_amount: '1.00' };
    expect(await run('refund', 'monday', [row, row])).toMatchObject({ code: 0, summary: { done_before: 0 } });
    expect(await run('refund', 'tuesday', [row, row])).toMatchObject({ code: 0, summary: { done_before: 2 } });
    expect(await run('refund', 'wednesday', [row, row, row])).toMatchObject({ code: 0, summary: { done_before: 2 } });
  });

  it('does not take its own repetition for an earlier request', async () => {
    const { pay, relay } = await startPaidRelay();
    let isLost = false;
    const lossy: Io['fetch'] = async (url, init) => {
      const answer = await fetch(url, init);
      if (isLost || init.method !== 'POST') return answer;
      isLost = true;
      throw new TypeError('the connection was cut');
    };
    const run = shopOf(relay.url, { fetch: lossy });
    const { code, summary, results } = await run('refund', 'lost', [{ ...(await pay()), refund_amount: '1.00' }]);
    expect({ code, summary }).toMatchObject({ code: 0, summary: { succeeded: 1, done_before: 0 } });
    expect(results[0]?.message).toBe('');
  });

  it('finds the outcome of a refund with a lost answer', async () => {
    const books = new RefundBooks();
    books.refund = 'booked_and_lost';
    const gateway = await scriptedGateway(books.script);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const row = { transaction_id: 'T1', currency: 'BRL', amount: '10.00', refund_amount: '1.00' };
    const { code, results } = await shopOf(relay.url)('refund', 'refunds', [row, row]);
    expect(code).toBe(0);
    expect(results.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded']);
    expect(books.records).toHaveLength(2);
  });

  it('never resends an unknown row until a person has settled it', async () => {
    const { merchant_id, account_id } = account;
    let isLost = true;
    const script: Script = ({ message }, res) => {
      if (isLost) return void res.destroy();
      const capture_orders = z.array(z.looseObject({})).parse(message.capture_orders);
      const done = capture_orders.map((one) => ({ ...one, capture_status: '1' }));
      sendSigned(res, { merchant_id, account_id, return_status: '1', return_message: 'OK', capture_orders: done });
    };
    const gateway = await scriptedGateway(script);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const run = shopOf(relay.url);
    const row = { transaction_id: 'T1', currency: 'BRL', amount: '10.00' };
    const first = await run('capture', 'captures', [row]);
    expect(first).toMatchObject({ code: 3, summary: { unknown: 1 }, results: [{ outcome: 'unknown' }] });
    isLost = false;
    const rows = [row, { ...row, transaction_id: 'T2' }];
    expect(await run('capture', 'captures', rows)).toMatchObject({ code: 3, summary: { unknown: 1, succeeded: 1 } });
    expect(gateway.sent(operations.capture.path)).toHaveLength(2);
    const settle = `/v1/operations/${first.results[0]?.operation_id}/settle`;
    expect((await relay.post(settle, apiKey, { outcome: 'succeeded' })).status).toBe(200);
    expect(await run('capture', 'captures', rows)).toMatchObject({ code: 0, summary: { succeeded: 2 } });
    expect(gateway.sent(operations.capture.path)).toHaveLength(2);
  });
});
