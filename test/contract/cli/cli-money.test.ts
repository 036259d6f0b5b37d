import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createClient } from '../../../client/index.ts';
import { sandboxGateway } from '../../support/gateways/sandbox-gateway.ts';
import { type CliOptions, cli, jsonLines } from '../../support/operators/cli.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const money = { currency: 'BRL', amount: '129.90' };
const codes = { payout_status: { completed: ['COMPLETED'], failed: ['FAILED'] } };

/** A relay with a sandbox gateway, the command for it, and shoppers who pay. */
async function setUp() {
  const gateway = await sandboxGateway();
  const relay = await startTestRelay({ gatewayUrl: gateway.url, profile: { codes }, timeoutMs: 4000 });
  const client = createClient({ url: relay.url, apiKey });
  const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
  const turnpike = (args: string[], options: CliOptions = {}) => cli(args, { env, ...options });
  /** Pays an order whose number has this ending. */
  const paid = async (suffix = '', more: object = {}) => {
    const order_no = `${order().order_no}${suffix}`;
    const payment = await client.payments.create({ ...card, order_no, ...money, ...more });
    if (payment.status !== 'approved') throw new Error(`not paid: ${payment.status}`);
    return payment;
  };
  const refunded = async (order_no: string) => (await client.orders.get(order_no)).refunded;
  const sent = (name: string) => gateway.messages.list().filter(({ operation }) => operation === name);
  const refundInPortal = async (transactionId: string) => {
    const path = `/admin/payments/${transactionId}/refund`;
    expect((await fetch(gateway.url + path, { method: 'POST' })).ok).toBe(true);
  };
  return { client, turnpike, paid, refunded, sent, refundInPortal };
}

const failure = z.object({
  error: z.object({ code: z.string(), hint: z.string(), operation_id: z.string().optional() }),
});

function failureIn(err: string): z.output<typeof failure>['error'] {
  return failure.parse(jsonLines(err)[0]).error;
}

describe('turnpike refund', () => {
  it('refunds a part, then the rest, then no more', async () => {
    const { turnpike, paid, refunded } = await setUp();
    const { order_no, transaction_id } = await paid();
    const part = await turnpike(['refund', order_no, '--amount', '20.0', '--reason', 'a cup', '--yes', '--json']);
    expect(part).toMatchObject({ code: 0, err: '' });
    const result = { refund_status: '1', refund_message: 'V0000:OK', refund_reason: 'a cup' };
    expect(jsonLines(part.out)).toMatchObject([{ outcome: 'succeeded', replayed: false, result }]);
    const rest = await turnpike(['refund', '--transaction', transaction_id], { answers: ['yes'] });
    expect(rest).toMatchObject({ code: 0, out: expect.stringMatching(/succeeded[\s\S]+109\.90 BRL/) });
    expect(await refunded(order_no)).toBe('129.90');
    expect(await turnpike(['refund', order_no, '--yes'])).toMatchObject({ code: 1, out: '' });
  });

  it('refuses an amount without a decimal point and sends nothing', async () => {
    const { turnpike, paid, refunded } = await setUp();
    const { order_no } = await paid();
    const refund = await turnpike(['refund', order_no, '--amount', '20', '--yes']);
    const err = expect.stringContaining('must have a decimal point: write 20.00 for 20 BRL');
    expect(refund).toMatchObject({ code: 2, out: '', err });
    expect(await refunded(order_no)).toBe('0.00');
  });

  it('with a lost answer is repeated as advised, and done once', async () => {
    const { turnpike, paid, refunded, sent } = await setUp();
    const { order_no } = await paid();
    // The relay receives each request, and its answers to the POST are lost.
    const fetchWithoutAnswer = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      if (init.method === 'POST') throw new TypeError('the connection was lost');
      return response;
    };
    const io = { fetch: fetchWithoutAnswer, wait: async () => undefined };
    const lost = await turnpike(['refund', order_no, '--yes', '--json'], { io });
    expect(lost).toMatchObject({ code: 3, out: '' });
    const options = /^Repeat the command with (.+): it is done once only\.$/.exec(failureIn(lost.err).hint)?.[1] ?? '';
    const again = await turnpike(['refund', order_no, '--yes', ...options.split(' '), '--json']);
    expect(jsonLines(again.out)).toMatchObject([{ outcome: 'succeeded', replayed: true }]);
    expect({ code: again.code, refunded: await refunded(order_no) }).toEqual({ code: 0, refunded: '129.90' });
    expect(sent('refund')).toHaveLength(1);
  });

  it('that the gateway does not do ends with 1', async () => {
    const { turnpike, paid, refundInPortal } = await setUp();
    const { order_no, transaction_id } = await paid();
    await refundInPortal(transaction_id);
    const refund = await turnpike(['refund', order_no, '--yes']);
    expect(refund).toMatchObject({ code: 1, err: expect.stringContaining('did not do it') });
    expect(refund.out).toMatch(/outcome +failed[\s\S]+V00\d\d/);
  });

  it('that was lost is looked up, and operations get shows it', async () => {
    const { client, turnpike, paid } = await setUp();
    const { order_no } = await paid('-fault:refund.reset');
    const lost = await turnpike(['refund', order_no, '--yes', '--json']);
    const { code, operation_id = '', hint } = failureIn(lost.err);
    expect({ exit: lost.code, code }).toEqual({ exit: 3, code: 'outcome_unknown' });
    expect(hint).toContain(`turnpike operations get ${operation_id}`);
    await until('the refund was found', async () => (await client.operations.get(operation_id)).status === 'settled');
    const found = await turnpike(['operations', 'get', operation_id]);
    expect(found.out).toMatch(/status +settled[\s\S]+settled by +a refund search[\s\S]+item 1 +succeeded/);
  });

  it('with a used reference names the operation', async () => {
    const { turnpike, paid, refunded } = await setUp();
    const { order_no } = await paid();
    const args = ['refund', order_no, '--amount', '5.00', '--reference', 'r-1', '--yes', '--json'];
    expect(await turnpike(args)).toMatchObject({ code: 0 });
    const again = await turnpike(args);
    expect(again.code).toBe(1);
    expect(failureIn(again.err)).toMatchObject({ code: 'reference_used', operation_id: expect.any(String) });
    expect(await refunded(order_no)).toBe('5.00');
  });
});

describe('other operations on a payment', () => {
  it('captures in parts, and then refuses a cancellation', async () => {
    const { client, turnpike, paid } = await setUp();
    const { order_no } = await paid();
    const capture = await turnpike(['capture', order_no, '--amount', '100.0'], { answers: ['y'] });
    expect(capture).toMatchObject({ code: 0, err: expect.stringContaining('Capture 100.00 BRL?') });
    expect((await client.orders.get(order_no)).captured).toBe('100.00');
    expect(await turnpike(['capture', order_no, '--amount', '29.90', '--yes'])).toMatchObject({ code: 0 });
    expect(await turnpike(['cancel', order_no, '--yes'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('captured'),
    });
  });

  it('accepts a payment that is held for review', async () => {
    const { turnpike, paid } = await setUp();
    const { order_no } = await paid('', { card: '4000000000009235' });
    expect(await turnpike(['refund', order_no, '--yes'])).toMatchObject({ code: 1 });
    expect(await turnpike(['review', order_no, '--accept', '--yes'])).toMatchObject({ code: 0 });
    expect(await turnpike(['refund', order_no, '--yes'])).toMatchObject({ code: 0 });
  });

  it('settles a capture of unknown outcome', async () => {
    const { turnpike, paid } = await setUp();
    const { order_no } = await paid('-fault:capture.reset');
    const lost = await turnpike(['capture', order_no, '--yes', '--json']);
    const { operation_id = '' } = failureIn(lost.err);
    const unknown = await turnpike(['operations', 'get', operation_id]);
    expect(unknown.err).toContain(`turnpike operations settle ${operation_id}`);
    const args = ['operations', 'settle', operation_id, '--outcome', 'succeeded', '--note', 'seen in the portal'];
    expect(await turnpike(args)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(await turnpike(args, { answers: ['y'] })).toMatchObject({ code: 0, out: expect.stringContaining('portal') });
    expect(await turnpike([...args, '--yes'])).toMatchObject({ code: 1 });
  });

  it('ends the subscription of the payment', async () => {
    const { turnpike, paid } = await setUp();
    const subscription = {
      contract_name: 'Tea club',
      contract_amount: '50.00',
      interval: 'month',
      interval_count: '1',
    };
    const { recurring_id = '' } = await paid('', { subscription });
    const ended = await turnpike(['subscription', 'cancel', recurring_id, '--contract-name', 'Tea club', '--yes']);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(recurring_id) });
    expect(await turnpike(['subscription', 'cancel', 'R-none', '--yes'])).toMatchObject({ code: 1 });
  });
});

describe('turnpike payout', () => {
  const beneficiary = ['--beneficiary-id', 'ben-1', '--payment-amount', '35.50', '--payment-currency', 'BRL', '--yes'];

  it.each<[string, number, RegExp]>([
    ['', 0, /outcome +succeeded[\s\S]+COMPLETED/],
    ['sandbox:fail', 1, /outcome +failed[\s\S]+refused the payout/],
    ['sandbox:pending', 3, /outcome +unknown[\s\S]+PROCESSING/],
  ])('by options, with the reference %j, ends with %i', async (reference, code, says) => {
    const { turnpike } = await setUp();
    const payout = await turnpike(['payout', ...beneficiary, '--reference', reference]);
    expect(payout).toMatchObject({ code, out: expect.stringMatching(says) });
    expect(payout.err).toMatch(code === 3 ? /on its way.+turnpike operations get op_/ : /^$|did not do it/);
  });

  it('reads a file or the standard input, overridden by options', async () => {
    const { turnpike, sent } = await setUp();
    const payout = {
      ...{ source_amount: '10', source_currency: 'BRL', request_id: '7f9c24e8-3b12-4fef-91d0-0123456789ab' },
      beneficiary: { company_name: 'Folha Ltda', bank_details: { iban: 'BR1500000000000010932840814P2' } },
    };
    const file = join(mkdtempSync(join(tmpdir(), 'turnpike-cli-')), 'payout.json');
    writeFileSync(file, JSON.stringify(payout));
    const first = await turnpike(['payout', '--file', file, '--source-amount', '12'], { answers: ['y'] });
    expect(first).toMatchObject({ code: 0, err: expect.stringContaining('Pay out 12 BRL to Folha Ltda?') });
    const input = JSON.stringify({ ...payout, source_amount: '12' });
    const again = await turnpike(['payout', '--file', '-', '--yes'], { input });
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/repeated +yes/) });
    expect(sent('payout')).toHaveLength(1);
  });

  it.each<[string[], string, RegExp]>([
    [['--file', '-'], '{"payment_amount": "1"', /standard input is not JSON/],
    [['--file', '-', '--yes'], '{"iban": "x"}', /payment_amount or source_amount|iban/],
    [beneficiary.slice(0, -1), '', /Give --yes/],
    [[...beneficiary, '--idempotency-key', 'k'], '', /needs --request-id/],
  ])('%j sends nothing', async (args, input, says) => {
    const { turnpike, sent } = await setUp();
    expect(await turnpike(['payout', ...args], { input })).toMatchObject({ code: 2, err: expect.stringMatching(says) });
    expect(sent('payout')).toEqual([]);
  });
});

describe('queries to the gateway', () => {
  it('finds payments by order, transaction and period', async () => {
    const { turnpike, paid } = await setUp();
    const { order_no, transaction_id } = await paid();
    for (const args of [[order_no], ['--trades', transaction_id], ['--from', '1h'], ['--from', '1h', '--to', '0s']]) {
      const { code, out } = await turnpike(['query', ...args]);
      expect({ code, out }, args.join(' ')).toMatchObject({ code: 0, out: expect.stringContaining(transaction_id) });
    }
    const [record] = jsonLines((await turnpike(['query', order_no, '--json'])).out);
    expect(record).toMatchObject({ order_no, payment_status: '3000', antifraud_provider: 'sandbox' });
  });

  it('reports the gateway’s message when nothing is found', async () => {
    const { turnpike } = await setUp();
    expect(await turnpike(['query', 'none'])).toMatchObject({ code: 0, err: 'The gateway said: 1 OK\n' });
    const { err } = await turnpike(['query', 'none', '--json']);
    expect(jsonLines(err)).toEqual([{ gateway: { return_status: '1', return_message: 'OK' } }]);
    expect(await turnpike(['query'])).toMatchObject({ code: 1, err: expect.stringContaining('what to look for') });
    expect(await turnpike(['refunds', 'search'])).toMatchObject({ code: 2 });
  });

  it('finds refunds by order and by reference', async () => {
    const { turnpike, paid } = await setUp();
    const { order_no, transaction_id } = await paid();
    await turnpike(['refund', order_no, '--amount', '7.00', '--yes']);
    for (const args of [[order_no], ['--references', `${transaction_id}-01`]]) {
      expect(await turnpike(['refunds', 'search', ...args])).toMatchObject({
        code: 0,
        out: expect.stringContaining(`${transaction_id}-01\t${order_no}\t${transaction_id}\t7.00 BRL`),
      });
    }
  });

  it('advise another try when no answer arrives', async () => {
    const { turnpike } = await setUp();
    const io = { wait: async () => undefined, fetch: () => Promise.reject(new TypeError('lost')) };
    expect(await turnpike(['query', 'A-1'], { io })).toMatchObject({
      code: 1,
      err: expect.stringContaining('repeat the command'),
    });
  });
});

describe('turnpike sessions', () => {
  it('creates a session and shows its secret only on request', async () => {
    const { turnpike } = await setUp();
    const { order_no } = order();
    const args = ['sessions', 'create', '--order-no', order_no, '--amount', '12.5', '--currency', 'BRL', '--json'];
    const created = await turnpike([...args, '--idempotency-key', 'k-1']);
    const session = z.object({ id: z.string(), client_secret: z.string(), checkout_url: z.string() });
    const { id, client_secret, checkout_url } = session.parse(jsonLines(created.out)[0]);
    expect((await turnpike([...args, '--idempotency-key', 'k-1'])).out).toBe(created.out);
    const secret = client_secret.split('.')[1] ?? '';
    for (const shown of [
      ['sessions', 'get', id],
      ['sessions', 'get', id, '--json'],
    ]) {
      const { code, out } = await turnpike(shown);
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('12.50') });
      expect(out).not.toContain(secret);
    }
    const link = await turnpike(['sessions', 'get', id, '--link']);
    expect(link.out).toContain(checkout_url);
  });

  it('reads every field of a session from a file', async () => {
    const { client, turnpike } = await setUp();
    const { order_no } = order();
    const body = { order: { order_no, amount: '1.00', currency: 'USD' }, collect: ['email'], expires_in: 600 };
    const args = ['sessions', 'create', '--file', '-', '--amount', '2.0', '--json'];
    const created = await turnpike(args, { input: JSON.stringify(body) });
    const { id } = z.object({ id: z.string() }).parse(jsonLines(created.out)[0]);
    expect(await client.sessions.get(id)).toMatchObject({ order_no, amount: '2.00', currency: 'USD' });
  });

  it('refuses an invalid session before anything is sent', async () => {
    const { turnpike } = await setUp();
    const { code, err } = await turnpike(['sessions', 'create', '--amount', '2']);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('order.order_no: is missing') });
  });

  it('settles a session by a person’s decision', async () => {
    const { client, turnpike } = await setUp();
    const { order_no } = order();
    const pix = { order_no, ...money, payment_method: 'PIX' };
    const { id } = await client.payments.create(pix);
    const args = ['sessions', 'settle', id, '--outcome', 'approved', '--note', 'seen in the portal'];
    expect(await turnpike([...args, '--yes'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('transaction_id'),
    });
    const settled = await turnpike([...args, '--transaction', 'T-9'], { answers: ['y'] });
    expect(settled.err).toContain(`Order ${order_no} is redirected. Settle it as approved?`);
    expect(settled).toMatchObject({ code: 0, out: expect.stringMatching(/status +approved[\s\S]+T-9[\s\S]+portal/) });
    expect(await turnpike([...args, '--transaction', 'T-9', '--yes'])).toMatchObject({ code: 1 });
  });
});
