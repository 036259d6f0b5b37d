import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { type Script, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { account, apiKey, otherAccountKey, startTestRelay } from '../../support/relays/relay.ts';
import { keepTimers } from '../../support/time/timers.ts';
import { until } from '../../support/time/until.ts';

const period = { query_start: '2026-01-01 00:00:00', query_end: '2026-12-31 23:59:59' };

const record = (at: number, more: object = {}) => ({
  amount: '129.90',
  currency: 'BRL',
  order_no: `A-${at}`,
  shopper_email: `shopper${at}@shop.example`,
  delivery_information: { delivery_city: 'São Paulo', delivery_address: 'Rua das Flores, 12', delivery_country: 'BR' },
  fraud_check_result: [{ check_items: 'velocity', status: 'ACCEPT' }],
  payment_status: '3000',
  transaction_id: String(10n ** 19n + BigInt(at)),
  transaction_date: '20261121093059',
  ...more,
});

/** An answer with this many payments, and its bytes, signed. */
function answerOf(count: number, more: object = {}, change: object = {}) {
  const { merchant_id, account_id, signingSecret } = account;
  const orders_list = Array.from({ length: count }, (_, at) => record(at, at === count - 1 ? more : {}));
  const answer = { merchant_id, account_id, return_status: '1', return_message: 'OK', orders_list, ...change };
  const encryption_data = sign(answer, signingSecret);
  return { answer: { ...answer, encryption_data }, bytes: Buffer.from(JSON.stringify({ ...answer, encryption_data })) };
}

const sending =
  (bytes: Buffer, headers: Record<string, string> = {}): Script =>
  (_received, res) =>
    void res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(bytes);

async function setUp(script: Script, timeoutMs = 120_000) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs });
  const query = (headers: Record<string, string> = {}) => relay.post('/v1/query', apiKey, period, headers);
  return { gateway, relay, query };
}

/** Queries a period and reads nothing of the answer. `answered` resolves once the answer begins. */
function stalledReader(url: string) {
  const body = JSON.stringify(period);
  const head = [
    'POST /v1/query HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  const answered = new Promise<void>((done) => socket.once('readable', done));
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return { socket, answered };
}

let large: Buffer | undefined;

/**
 * An answer of 15 MB, larger than the buffers of a connection. A few long records are parsed faster than many short
 * ones.
 */
function beyondBuffers(): Buffer {
  const longRecords = () => Array.from({ length: 8000 }, (_, at) => record(at, { decline_reason: 'x'.repeat(1500) }));
  large ??= answerOf(0, {}, { orders_list: longRecords() }).bytes;
  return large;
}

describe('a query over a period', () => {
  it('brings thousands of records back as the gateway sent them', async () => {
    const { answer, bytes } = answerOf(3000);
    expect(bytes.length).toBeGreaterThan(1_000_000);
    for (const script of [sending(bytes), sending(gzipSync(bytes), { 'content-encoding': 'gzip' })]) {
      const { query } = await setUp(script);
      const got = await query();
      expect(got.status, got.text.slice(0, 200)).toBe(200);
      expect(got.body).toEqual(answer);
    }
  });

  it('is read in the encoding that the answer declares', async () => {
    const { answer, bytes } = answerOf(1000);
    const { query } = await setUp(
      sending(Buffer.from(`\ufeff${bytes}`, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }),
    );
    expect((await query()).body).toEqual(answer);
  });

  it('shows no card number, and codes as text', async () => {
    const more = { decline_reason: 'card 4111111111111111', payment_status: 3000 };
    const { query } = await setUp(sending(answerOf(1000, more, { return_status: 1 }).bytes));
    const { status, text, body } = await query();
    expect(status).toBe(200);
    expect(text).not.toContain('4111111111111111');
    expect(body.return_status).toBe('1');
    expect(text).not.toContain('"payment_status":3000');
  });

  it('is refused with the same problems as a short one', async () => {
    const { bytes } = answerOf(1000);
    // The first is found by the parser, the second after it, and the third before it.
    const wrong: Record<string, Buffer> = {
      signature_wrong: Buffer.from(bytes.toString().replace('A-7', 'B-7')),
      'another account': answerOf(1000, {}, { account_id: '9' }).bytes,
      answer_too_large: gzipSync(Buffer.alloc(64 * 1_048_576 + 1, ' ')),
    };
    for (const [fault, body] of Object.entries(wrong)) {
      const headers: Record<string, string> = fault === 'answer_too_large' ? { 'content-encoding': 'gzip' } : {};
      const { gateway, query } = await setUp(sending(body, headers));
      expect(await query(), fault).toMatchObject({
        status: 502,
        body: { code: 'gateway_answer_unusable', detail: expect.stringContaining(fault) },
      });
      // An answer that is too large is not requested again: it would be as large.
      expect(gateway.queried(), fault).toHaveLength(fault === 'signature_wrong' ? 3 : 1);
    }
  });

  it('ends with the gateway’s time limit', async () => {
    const { bytes } = answerOf(1000);
    // The rest never arrives.
    const begins: Script = (_received, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
      res.write(bytes.subarray(0, -1));
    };
    const { query } = await setUp(begins, 400);
    expect(await query()).toMatchObject({ status: 504, body: { code: 'gateway_timeout' } });
  });

  it('blocks the relay’s thread for less than 50 ms at a time', async () => {
    const { bytes } = answerOf(10_000);
    const { relay } = await setUp(sending(bytes));
    let isOver = false;
    let longest = 0;
    let last = process.threadCpuUsage();
    const turn = (): void => {
      const { user, system } = process.threadCpuUsage(last);
      longest = Math.max(longest, (user + system) / 1000);
      last = process.threadCpuUsage();
      if (!isOver) setImmediate(turn);
    };
    const request = fetch(`${relay.url}/v1/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(period),
    });
    setImmediate(turn);
    const { body } = await request;
    let read = 0;
    for await (const chunk of body ?? []) read += chunk.length;
    isOver = true;
    expect(read).toBeGreaterThan(bytes.length - 1000);
    expect(longest).toBeLessThan(50);
  });

  it('with a long answer is sent again under the same key', async () => {
    const { gateway, query } = await setUp(sending(answerOf(1000).bytes));
    const [first, again] = [await query({ 'Idempotency-Key': 'k' }), await query({ 'Idempotency-Key': 'k' })];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect(gateway.queried()).toHaveLength(2);
  });

  it('waits while another is read, and continues when that one ends', async () => {
    const { bytes } = answerOf(1500);
    const { gateway, relay, query } = await setUp(sending(bytes));
    for (let at = 0; at < 2; at++) {
      const leaving = new AbortController();
      const left = fetch(`${relay.url}/v1/query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(period),
        signal: leaving.signal,
      });
      await until('the gateway was queried', async () => gateway.queried().length === at + 1);
      leaving.abort();
      await expect(left).rejects.toThrow();
    }
    const all = await Promise.all(Array.from({ length: 3 }, () => query()));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('is answered while another account reads none of its answers', async () => {
    const { merchant_id, account_id } = { merchant_id: '100002', account_id: '200002' };
    const own = { ...answerOf(1000).answer, merchant_id, account_id, encryption_data: undefined };
    const signed = { ...own, encryption_data: sign(own, 'another secret') };
    const { gateway, relay } = await setUp((received, res, req) => {
      const bytes =
        received.message.merchant_id === merchant_id ? Buffer.from(JSON.stringify(signed)) : beyondBuffers();
      return sending(bytes)(received, res, req);
    }, 10_000);
    const first = stalledReader(relay.url);
    await first.answered;
    stalledReader(relay.url);
    await until('both are queried', () => gateway.queried().length === 2);
    expect((await relay.get('/healthz')).status).toBe(200);
    expect((await relay.post('/v1/query', otherAccountKey, period)).status).toBe(200);
  });

  it('ends for a shop that reads for over a minute', async () => {
    const timers = keepTimers(60_000);
    const { relay } = await setUp(sending(beyondBuffers()));
    const { socket, answered } = stalledReader(relay.url);
    await answered;
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    timers.release();
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(beyondBuffers().length);
  });
});
