import { describe, expect, it } from 'vitest';
import { type Operation, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import { operationCases } from '../../support/gateways/operation-cases.ts';
import { type Script, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { documented } from '../../support/relays/documented.ts';
import { mistakes } from '../../support/relays/mistakes.ts';
import { apiKey, queryOnlyKey, startTestRelay } from '../../support/relays/relay.ts';

async function setUp(script: Script = compliant, timeoutMs = 30_000) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs });
  return { gateway, relay, reference: documented() };
}

type Routed = keyof typeof operationCases;
const routed = operationNames.filter((name): name is Routed => name in operationCases);

/** An address at which no server listens. */
const unreachable = 'http://127.0.0.1:9';

function isEffect(name: Routed): boolean {
  const { settledBy }: Operation = operations[name];
  return settledBy !== undefined;
}

function routeOf(name: Routed): string {
  const { route }: Operation = operations[name];
  return route?.path ?? '';
}

describe('the OpenAPI document', () => {
  it.each(routed)('describes the answers of %s', async (name) => {
    const path = routeOf(name);
    for (const body of [operationCases[name].full, operationCases[name].least]) {
      const { relay, reference } = await setUp();
      expect(reference.isValidBody(path, body), JSON.stringify(body)).toBe(true);
      const answer = await relay.post(path, apiKey, body);
      expect(answer.status, answer.text).toBe(200);
      reference.check('post', path, answer);
      const id = answer.headers.get('x-operation-id');
      expect(id !== null).toBe(isEffect(name));
      if (id === null) continue;
      const operation = await relay.get(`/v1/operations/${id}`, apiKey);
      expect(operation.status).toBe(200);
      reference.check('get', '/v1/operations/{id}', operation);
      const settle = await relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome: 'failed' });
      expect(settle.body.code).toBe('operation_not_unknown');
      reference.check('post', '/v1/operations/{id}/settle', settle);
    }
  });

  it.each(routed)('describes the answers of %s to invalid requests', async (name) => {
    const { relay, reference } = await setUp();
    const path = routeOf(name);
    await mistakes(relay, reference, path, path);
    for (const [list, limit] of Object.entries(operations[name].lists)) {
      const body = { [list]: Array.from({ length: limit + 1 }, () => ({})) };
      expect(reference.isValidBody(path, body)).toBe(false);
      const answer = await relay.post(path, apiKey, body);
      expect(answer.body.code).toBe('batch_too_large');
      reference.check('post', path, answer);
    }
  });

  it.each(routed)('describes the answers of %s when the gateway fails', async (name) => {
    const path = routeOf(name);
    const scripts: Script[] = [
      (_received, res) => void res.writeHead(400).end('Invalid input'),
      (_received, res) => void res.writeHead(500).end(),
      (_received, res) => void res.end('<html>'),
      () => undefined,
    ];
    for (const script of scripts) {
      const { relay, reference } = await setUp(script, 500);
      const headers = { 'idempotency-key': 'k-3' };
      for (const _time of [1, 2]) {
        const answer = await relay.post(path, apiKey, operationCases[name].least, headers);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        reference.check('post', path, answer);
        if (answer.body.code !== 'outcome_unknown') continue;
        const id = String(answer.body.operation_id);
        reference.check('get', '/v1/operations/{id}', await relay.get(`/v1/operations/${id}`, apiKey));
      }
    }
    const relay = await startTestRelay({ gatewayUrl: unreachable });
    const reference = documented();
    const answer = await relay.post(path, apiKey, operationCases[name].least);
    expect(answer.body.code).toBe('gateway_unreachable');
    reference.check('post', path, answer);
  });

  it('describes refunds that exceed the payment, and repeated payouts', async () => {
    const { relay, reference } = await setUp();
    for (const [name, code] of [
      ['refund', 'refund_exceeds_payment'],
      ['payout', 'request_id_used'],
    ] as const) {
      const path = routeOf(name);
      await relay.post(path, apiKey, operationCases[name].full);
      const answer = await relay.post(path, apiKey, operationCases[name].full);
      expect(answer.body.code, answer.text).toBe(code);
      reference.check('post', path, answer);
    }
  });

  it('describes how an unknown operation is settled', async () => {
    const { relay, reference } = await setUp((_received, res) => void res.writeHead(500).end());
    const lost = await relay.post('/v1/capture', apiKey, operationCases.capture.least);
    const path = `/v1/operations/${lost.body.operation_id}`;
    const template = '/v1/operations/{id}/settle';
    const tooMany = await relay.post(`${path}/settle`, apiKey, { outcome: 'failed', items: ['failed', 'failed'] });
    expect(tooMany.status).toBe(400);
    expect(reference.isValidBody(template, { outcome: 'failed', items: ['failed', 'failed'] })).toBe(true);
    expect(reference.rulesOf(template)).toContain('`items`');
    reference.check('post', template, tooMany);
    const settled = await relay.post(`${path}/settle`, apiKey, { outcome: 'succeeded', note: 'says the portal' });
    expect(settled.status).toBe(200);
    reference.check('post', template, settled);
    reference.check('get', '/v1/operations/{id}', await relay.get(path, apiKey));
    reference.check('get', '/v1/operations/{id}', await relay.get('/v1/operations/op_none', apiKey));
    reference.check('get', '/v1/operations/{id}', await relay.get(path, queryOnlyKey));
    reference.check('post', template, await relay.post('/v1/operations/op_none/settle', apiKey, { outcome: 'failed' }));
  });
});
