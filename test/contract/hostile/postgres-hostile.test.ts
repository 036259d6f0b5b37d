import { beforeAll, describe, expect, it } from 'vitest';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import type { TestPostgres } from '../../support/stores/postgres.ts';
import { sharedPostgres } from '../../support/stores/postgres.ts';

describe('a NUL, which no PostgreSQL text may contain,', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  const start = async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { store: await postgres.database() } });
    return { gateway, relay };
  };

  it('is refused in an address, without reporting a store failure', async () => {
    const { relay } = await start();
    for (const id of ['%00', 'cs_a%00b', '%00'.repeat(100)]) {
      for (const path of [
        `/v1/sessions/${id}`,
        `/v1/operations/${id}`,
        `/v1/events/${id}`,
        `/checkout/${id}`,
        `/checkout/${id}/issuer`,
        `/return/${id}`,
      ]) {
        expect((await relay.get(path, apiKey)).status, `GET ${path}`).toBe(404);
      }
      for (const path of [
        `/v1/operations/${id}/settle`,
        `/v1/events/${id}/redeliver`,
        `/return/${id}`,
        `/notify/payment/${id}/token`,
        `/notify/payout/${id}/token`,
        `/notify/payment/cs_a/${id}`,
      ]) {
        expect((await relay.post(path, apiKey, {})).status, `POST ${path}`).toBe(404);
      }
    }
    expect(relay.logLines.filter((line) => line.includes('request failed'))).toEqual([]);
  });

  it('in a body is an error of its field', async () => {
    const { gateway, relay } = await start();
    const one = order();
    const item = { ...one, transaction_id: 'T', refund_amount: '1.00' };
    for (const [path, body] of [
      ['/v1/sessions', { order: { ...one, order_no: 'A\0' } }],
      ['/v1/payments', { ...one, ...card, order_no: 'A\0' }],
      ['/v1/payments', { ...one, token_id: 'A\0', security_code: '123' }],
      ['/v1/refund', { refund_orders: [{ ...item, transaction_id: 'T\0' }] }],
      ['/v1/refund', { refund_orders: [{ ...item, currency: 'BR\0' }] }],
      ['/v1/capture', { capture_orders: [{ ...one, transaction_id: 'T\0' }] }],
      ['/v1/subscription/cancel', { recurring_id: 'R\0', contract_name: 'C' }],
      ['/v1/payout', { request_id: '\0', beneficiary: {} }],
    ] as const) {
      const answer = await relay.post(path, apiKey, body);
      expect(answer, `${path} ${JSON.stringify(body)}`).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
    for (const query of ['subject=%00', 'before=%00', 'type=%00', 'status=%00']) {
      expect((await relay.get(`/v1/events?${query}`, apiKey)).status, query).toBe(400);
    }
    expect(gateway.received).toEqual([]);
  });
});
