import { describe, expect, it } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { approving, type Script, scriptedGateway, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { account, apiKey, queryOnlyKey, startTestRelay } from '../../support/relays/relay.ts';

async function setUp(script: Script = approving, profile: Record<string, unknown> = {}, timeoutMs = 30_000) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs, profile });
  const query = (body: unknown, key = queryOnlyKey) => relay.post('/v1/query', key, body);
  return { gateway, relay, query };
}

const record = {
  amount: '129.90',
  currency: 'BRL',
  order_no: 'A-1',
  payment_status: '3000',
  transaction_id: '00012345678901234567',
  transaction_date: '20261121093059',
  delivery_information: { delivery_city: 'São Paulo' },
  fraud_check_result: [{ check_items: 'velocity', status: 'ACCEPT' }],
  a_field_of_next_year: { kept: true },
};

describe('POST /v1/query', () => {
  it('sends the signed form of §4.1 and returns the gateway’s answer', async () => {
    const { gateway, query } = await setUp((_received, res) => sendRecords(res, [record], { extra: 'kept' }));
    const asked = {
      order_status: '1',
      platform_source: 'web',
      query_start: '2026-11-01 00:00:00',
      query_end: '2026-11-20 23:59:59',
    };
    const answer = await query({ orders: ['A-1', 'Ação 2'], trades: ['T 1'], ...asked });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      merchant_id: account.merchant_id,
      account_id: account.account_id,
      return_status: '1',
      return_message: 'OK',
      orders_list: [record],
      extra: 'kept',
    });
    const [received] = gateway.queried();
    expect(received?.contentType).toBe('application/x-www-form-urlencoded');
    const sent = {
      merchant_id: account.merchant_id,
      account_id: account.account_id,
      orders: 'A-1,Ação 2',
      trades: 'T 1',
      ...asked,
    };
    expect(received?.message).toEqual({ ...sent, encryption_data: sign(sent, account.signingSecret) });
  });

  it('uses the profile’s list separator, and refuses entries that contain it', async () => {
    const { gateway, query } = await setUp(approving, { list_separator: '|' });
    expect((await query({ orders: ['A', 'B'] })).status).toBe(200);
    expect(gateway.queried()[0]?.message.orders).toBe('A|B');
    expect(await query({ orders: ['A', 'B|C'] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'orders.1' }] },
    });
  });

  it('accepts 100 orders and trades together, and no more', async () => {
    const { gateway, query } = await setUp();
    const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `N-${at}`);
    expect((await query({ orders: many(100), trades: [] })).status).toBe(200);
    expect((await query({ orders: many(60), trades: many(40) })).status).toBe(200);
    for (const field of ['orders', 'trades']) {
      expect(await query({ [field]: many(101) })).toMatchObject({
        status: 400,
        body: { code: 'batch_too_large', detail: expect.stringContaining('100'), errors: [{ path: field }] },
      });
    }
    expect(await query({ orders: many(60), trades: many(41) })).toMatchObject({
      status: 400,
      body: {
        code: 'batch_too_large',
        detail: 'Send at most 100 entries in orders, trades together.',
        errors: [{ path: 'orders' }, { path: 'trades' }],
      },
    });
    expect(gateway.queried()).toHaveLength(2);
  });

  it('requires at least one filter that the gateway can search by', async () => {
    const { gateway, query } = await setUp();
    for (const body of [{}, { orders: [] }, { order_status: '1' }, { query_start: '2026-11-01 00:00:00' }]) {
      expect(await query(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    expect(gateway.received).toEqual([]);
  });

  it('refuses impossible dates, unknown fields and identity in the body', async () => {
    const { query } = await setUp();
    const dates = { query_start: '2026-02-30 00:00:00', query_end: '2026-03-01 00:00:00' };
    for (const [body, path] of [
      [dates, 'query_start'],
      [{ orders: ['A'], order: 'A' }, 'order'],
      [{ orders: ['A'], merchant_id: '1' }, 'merchant_id'],
      [{ orders: ['A'], encryption_data: 'x' }, 'encryption_data'],
      [{ orders: 'A' }, 'orders'],
    ] as const) {
      expect(await query(body), path).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    }
  });

  it('accepts an answer unsigned, signed, or with the request’s signature', async () => {
    const good: Record<string, (sent: unknown) => object> = {
      none: () => ({}),
      empty: () => ({ encryption_data: '' }),
      echoed: (sent) => ({ encryption_data: sent }),
    };
    for (const [what, change] of Object.entries(good)) {
      const { query } = await setUp((received, res) => sendRecords(res, [], change(received.message.encryption_data)));
      expect((await query({ orders: ['A'] })).status, what).toBe(200);
    }
    const { merchant_id, account_id, signingSecret } = account;
    const answer = { merchant_id, account_id, return_status: '1', return_message: 'OK', orders_list: [] };
    const { query } = await setUp((_received, res) =>
      sendRecords(res, [], { encryption_data: sign(answer, signingSecret) }),
    );
    expect((await query({ orders: ['A'] })).status).toBe(200);
  });

  it('reports an unusable answer after a second try', async () => {
    const bad: Record<string, [Script, number, string]> = {
      'a wrong signature': [
        (_r, res) => sendRecords(res, [], { encryption_data: 'wrong' }),
        502,
        'gateway_answer_unusable',
      ],
      'another account': [(_r, res) => sendRecords(res, [], { account_id: '9' }), 502, 'gateway_answer_unusable'],
      'no JSON': [(_r, res) => void res.end('<html>'), 502, 'gateway_answer_unusable'],
      'a list of nothing that it should be': [
        (_r, res) => sendRecords(res, [], { orders_list: 'none' }),
        502,
        'gateway_answer_unusable',
      ],
      'an error of its own': [(_r, res) => void res.writeHead(500).end(), 502, 'gateway_answer_unusable'],
      'no answer': [() => undefined, 504, 'gateway_timeout'],
    };
    for (const [what, [script, status, code]] of Object.entries(bad)) {
      const { gateway, query } = await setUp(script, {}, what === 'no answer' ? 500 : 30_000);
      expect(await query({ orders: ['A'] }), what).toMatchObject({ status, body: { code } });
      expect(gateway.queried().length, what).toBe(['another account', 'no answer'].includes(what) ? 1 : 3);
    }
  });

  it('has one time limit for all its tries', async () => {
    const { gateway, query } = await setUp((_received, res) => void setTimeout(() => res.destroy(), 300), {}, 500);
    expect((await query({ orders: ['A'] })).status).toBeGreaterThanOrEqual(502);
    expect(gateway.queried().length).toBeLessThan(3);
  });

  it('returns an unsuccessful answer as the gateway sent it', async () => {
    const { query } = await setUp((_received, res) =>
      sendRecords(res, [], { return_status: '0', return_message: 'IP not registered' }),
    );
    expect(await query({ orders: ['A'] })).toMatchObject({
      status: 200,
      body: { return_status: '0', return_message: 'IP not registered' },
    });
  });

  it('masks card numbers in the gateway’s texts', async () => {
    const { query } = await setUp((_received, res) =>
      sendRecords(res, [{ ...record, decline_reason: 'card 4111111111111111' }]),
    );
    expect((await query({ orders: ['A'] })).text).not.toContain('4111111111111111');
  });

  it('needs the scope', async () => {
    const { relay, query } = await setUp();
    expect((await query({ orders: ['A'] }, 'nonsense')).status).toBe(401);
    expect((await query({ orders: ['A'] }, apiKey)).status).toBe(200);
    expect((await relay.post('/v1/sessions', queryOnlyKey, {})).status).toBe(403);
  });
});
