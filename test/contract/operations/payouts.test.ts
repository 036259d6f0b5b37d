import { describe, expect, it } from 'vitest';
import { type Script, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';

/** A gateway that never answers, unless the test changes it. */
async function setUp(script: Script = () => undefined, timeoutMs = 1500) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs });
  return { gateway, relay };
}

describe('a payout', () => {
  const request_id = '7f9c24e8-3b12-4fef-91d0-0123456789ab';
  const payout = { beneficiary_id: 'b', payment_amount: '10', payment_currency: 'BRL', request_id };

  it('has a unique request_id per account, with or without an Idempotency-Key', async () => {
    const { gateway, relay } = await setUp((received, res) => {
      const { encryption_data: _, ...echo } = received.message;
      res.end(JSON.stringify({ ...echo, status: 'COMPLETED' }));
    });
    const first = await relay.post('/v1/payout', apiKey, payout);
    expect(first.status).toBe(200);
    const id = first.headers.get('x-operation-id');
    const inCapitals = { ...payout, request_id: request_id.toUpperCase() };
    for (const [body, headers] of [
      [payout, undefined],
      [inCapitals, undefined],
      [payout, { 'idempotency-key': 'k-2' }],
    ] as const) {
      expect(await relay.post('/v1/payout', apiKey, body, headers)).toMatchObject({
        status: 409,
        body: { code: 'request_id_used', operation_id: id },
      });
    }
    expect(gateway.received).toHaveLength(1);
    const other = await relay.post('/v1/payout', 'test-key-of-another-account', payout);
    expect(other.body.code).not.toBe('request_id_used');
  });

  it('that was not sent leaves its request_id free', async () => {
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    for (const _ of [1, 2]) expect((await relay.post('/v1/payout', apiKey, payout)).status).toBe(503);
  });

  it('gets the relay’s notify_url if the shop sends none', async () => {
    const { gateway, relay } = await setUp(() => undefined, 200);
    const got = await relay.post('/v1/payout', apiKey, payout);
    const path = `${relay.url}/notify/payout/${got.headers.get('x-operation-id')}/`;
    expect(String(gateway.received[0]?.message.notify_url).startsWith(path)).toBe(true);
  });

  it.each([
    ['no amount', { payment_amount: undefined }, 'payment_amount'],
    ['no currency', { payment_currency: undefined }, 'payment_currency'],
    ['no beneficiary', { beneficiary_id: undefined }, 'beneficiary'],
    ['no request_id', { request_id: undefined }, 'request_id'],
    ['a request_id of another form', { request_id: 'PO-1' }, 'request_id'],
    ['an impossible date', { payment_date: '2026-02-30' }, 'payment_date'],
    ['a date of another form', { payment_date: '30-11-2026' }, 'payment_date'],
    ['an impossible date of birth', { payer: { date_of_birth: '1990-13-01' } }, 'payer.date_of_birth'],
    ['a negative amount', { payment_amount: '-10' }, 'payment_amount'],
    ['an amount of more decimals than its currency', { payment_amount: '10.005' }, 'payment_amount'],
    ['an amount that is a number', { payment_amount: 10 }, 'payment_amount'],
    ['an invalid notify_url', { notify_url: 'javascript:alert(1)' }, 'notify_url'],
  ])('is refused with %s', async (_what, change, path) => {
    const { gateway, relay } = await setUp();
    const got = await relay.post('/v1/payout', apiKey, { ...payout, ...change });
    expect(got, got.text).toMatchObject({ status: 400, body: { errors: [expect.objectContaining({ path })] } });
    expect(gateway.received).toEqual([]);
  });
});
