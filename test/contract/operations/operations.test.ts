import { describe, expect, it } from 'vitest';
import { listIn } from '../../../relay/payments/operations/answered-state.ts';
import { type Operation, type OperationName, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { identity, operationCases } from '../../support/gateways/operation-cases.ts';
import { type Received, type Script, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { account, apiKey, otherAccountKey, queryOnlyKey, startTestRelay } from '../../support/relays/relay.ts';

type Routed = keyof typeof operationCases;

const routed = operationNames.filter((name): name is Routed => name in operationCases);

function entry(name: Routed): { operation: Operation; route: NonNullable<Operation['route']> } {
  const operation: Operation = operations[name];
  if (!operation.route) throw new Error(`${name} has no route`);
  return { operation, route: operation.route };
}

const signed = (message: object): object => ({
  ...message,
  encryption_data: sign({ ...message }, account.signingSecret),
});

/**
 * Answers each operation as its case says, about the requested items. `change` is applied before signing, `forged`
 * after.
 */
function faithful(name: Routed, change: object = {}, forged: object = {}): Script {
  return ({ message }, res) => {
    const { batch, encoding } = entry(name).operation;
    const asked = batch ? message[batch.list] : undefined;
    const { encryption_data: _, ...echo } = message;
    const fields = Array.isArray(asked)
      ? { return_status: '1', return_message: 'OK', [batch?.list ?? '']: asked.map((item) => resultOf(name, item)) }
      : { ...operationCases[name].answer, ...(encoding === 'json' ? echo : {}) };
    send(res, { ...signed({ ...identity, ...fields, ...change }), ...forged });
  };
}

function resultOf(name: Routed, item: object): object {
  const status = entry(name).operation.batch?.status ?? '';
  return { ...item, [status]: '1', ...(name === 'refund' ? { refund_message: 'V0000:OK' } : { error_message: '' }) };
}

function send(res: Parameters<Script>[1], body: object, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function setUp(script: Script, more: { timeoutMs?: number } = {}) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: more.timeoutMs ?? 1500 });
  return { gateway, relay };
}

const bodyOfSize = (name: Routed, field: string, size: number): object => {
  const [first] = [operationCases[name].least[field] ?? ['N']].flat();
  const entries = Array.from({ length: size }, (_, at) =>
    typeof first === 'object' ? { ...first, transaction_id: `T-${at}` } : `N-${at}`,
  );
  return { [field]: entries };
};

/** The possible failures of each operation. */
const fewFailures = ['invalid input (§7)', 'an error of its own', 'no signature'];

describe('every operation of the table', () => {
  it('has a case in this file or is a payment', () => {
    const without = operationNames.filter((name: OperationName) => !(name in operationCases));
    expect(without).toEqual(['direct_payment', 'apm_payment']);
  });
});

describe.each(routed)('%s', (name) => {
  const { operation, route } = entry(name);
  const { full, least, wire = full, answer, items } = operationCases[name];
  const isEffect = operation.settledBy !== undefined;
  // One operation with an effect and one without meet every failure; the others share their code.
  const isThorough = name === 'refund' || name === 'query';

  it('is sent with every field, signed; its answer includes the meaning', async () => {
    const whole = signed({ ...identity, ...answer });
    const { gateway, relay } = await setUp((_received, res) => send(res, whole));
    const got = await relay.post(route.path, apiKey, full);
    expect(got.status, got.text).toBe(200);
    const list = operation.batch?.list ?? '';
    const results = listIn({ ...whole }, list).map((result, at) => ({ ...result, outcome: items?.[at] }));
    const outcome = operation.batch ? { [list]: results } : { outcome: items?.[0] };
    const noted = { operation_id: got.headers.get('x-operation-id'), ...outcome };
    expect(got.body).toEqual(isEffect ? { ...whole, ...noted } : whole);
    const [received] = gateway.sent(operation.path);
    expect(gateway.sent(operation.path)).toHaveLength(1);
    expect(received?.path).toBe(operation.path);
    expect(received?.contentType).toBe(
      operation.encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
    );
    expect(received?.message).toEqual(signed({ ...wire, ...identity }));
    if (!isEffect) return;
    const stored = await relay.get(`/v1/operations/${got.headers.get('x-operation-id')}`, apiKey);
    expect(stored.body).toMatchObject({ operation: name, status: 'answered', request: wire, items });
  });

  it('requires only fields that the specification or common sense require', async () => {
    const { relay } = await setUp(faithful(name));
    const got = await relay.post(route.path, apiKey, least);
    expect(got.status, got.text).toBe(200);
  });

  it('refuses an unknown field at any depth and names its path', async () => {
    const { gateway, relay } = await setUp(faithful(name));
    for (const [body, path] of misspelt(full)) {
      const got = await relay.post(route.path, apiKey, body);
      expect(got, path).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(got.body.errors, path).toContainEqual({ path, message: expect.stringMatching(/^there is no such field/) });
    }
    expect(gateway.received).toEqual([]);
  });

  it('refuses the fields that the relay sets', async () => {
    const { gateway, relay } = await setUp(faithful(name));
    for (const field of ['merchant_id', 'account_id', 'encryption_data']) {
      const got = await relay.post(route.path, apiKey, { ...least, [field]: 'x' });
      expect(got, field).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
    }
    expect(gateway.received).toEqual([]);
  });

  it('accepts the largest batch, and no larger one', async () => {
    const { gateway, relay } = await setUp(faithful(name));
    for (const [field, limit] of Object.entries(operation.lists)) {
      const largest = await relay.post(route.path, apiKey, bodyOfSize(name, field, limit));
      expect(largest.status, largest.text).toBe(200);
      const sent = gateway.received.length;
      const more = await relay.post(route.path, apiKey, bodyOfSize(name, field, limit + 1));
      expect(more).toMatchObject({ status: 400, body: { code: 'batch_too_large', errors: [{ path: field }] } });
      expect(more.body.detail).toContain(String(limit));
      expect(gateway.received).toHaveLength(sent);
    }
  });

  it('needs an API key with its scope', async () => {
    const { gateway, relay } = await setUp(faithful(name));
    expect((await relay.post(route.path, 'nonsense', least)).status).toBe(401);
    if (route.scope !== 'query') expect((await relay.post(route.path, queryOnlyKey, least)).status).toBe(403);
    expect(gateway.received).toEqual([]);
  });

  it('explains the gateway’s failure, and resends only safe operations', async () => {
    const wrongSignature = { encryption_data: 'wrong' };
    const failures: Record<string, [Script, string]> = {
      'invalid input (§7)': [(_r, res) => void res.writeHead(400).end('Invalid input'), 'refused'],
      'record not found (§7)': [(_r, res) => void res.writeHead(404).end('Record not found'), 'refused'],
      'no authorisation': [(_r, res) => void res.writeHead(401).end(), 'refused'],
      'no permission': [(_r, res) => void res.writeHead(403).end('<html>'), 'refused'],
      'too many requests': [(_r, res) => void res.writeHead(429).end(), 'refused'],
      'another HTTP status': [(_r, res) => void res.writeHead(409).end(), 'unusable'],
      'an error of its own': [(_r, res) => void res.writeHead(500).end(), 'unusable'],
      'a page': [(_r, res) => void res.end('<html>'), 'unusable'],
      'an answer cut short': [(_r, res) => void res.end('{"merchant_id":"1000'), 'unusable'],
      'a wrong signature': [faithful(name, {}, wrongSignature), 'unusable'],
      'another account': [faithful(name, { account_id: '9' }), 'other account'],
      'a broken connection': [(_r, res) => void res.destroy(), 'unusable'],
    };
    if (operation.verify === 'required') {
      failures['no signature'] = [(_r, res) => send(res, { ...identity, ...answer }), 'unusable'];
    }
    const met = Object.entries(failures).filter(([what]) => isThorough || fewFailures.includes(what));
    for (const [what, [script, kind]] of met) {
      const { gateway, relay } = await setUp(script);
      const got = await relay.post(route.path, apiKey, least);
      if (kind === 'refused') expect(got, what).toMatchObject({ status: 422, body: { code: 'gateway_refused' } });
      else if (isEffect) expect(got, what).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
      else expect(got, what).toMatchObject({ status: 502, body: { code: 'gateway_answer_unusable' } });
      expect(gateway.sent(operation.path).length, what).toBe(isEffect || kind !== 'unusable' ? 1 : 3);
    }
  });

  it('reads a status that is a JSON number as its text', async () => {
    const statuses = ['return_status', 'status', 'cancel_status'].filter((field) => field in operation.answer.shape);
    const { relay } = await setUp(({ message }, res) => {
      const { batch, encoding } = entry(name).operation;
      const asked = batch ? message[batch.list] : undefined;
      const { encryption_data: _, ...echo } = message;
      const fields = Array.isArray(asked)
        ? {
            return_status: 1,
            [batch?.list ?? '']: asked.map((item) => ({ ...resultOf(name, item), [batch?.status ?? '']: 1 })),
          }
        : {
            ...answer,
            ...(encoding === 'json' ? echo : {}),
            ...Object.fromEntries(statuses.map((field) => [field, 7])),
          };
      send(res, signed({ ...identity, ...fields }));
    });
    const got = await relay.post(route.path, apiKey, least);
    expect(got.status, got.text).toBe(200);
    expect(statuses.length).toBeGreaterThan(0);
    if (!operation.batch) expect(got.body).toMatchObject(Object.fromEntries(statuses.map((field) => [field, '7'])));
    if (!operation.batch) return;
    expect(got.body).toMatchObject({
      ...{ return_status: '1', [operation.batch.list]: [{ [operation.batch.status]: '1' }] },
    });
    const stored = await relay.get(`/v1/operations/${got.headers.get('x-operation-id')}`, apiKey);
    expect(stored.body).toMatchObject({ status: 'answered', items: ['succeeded'] });
  });

  it('is not sent when the gateway is down, and can be retried', async () => {
    const gateway = await scriptedGateway(faithful(name));
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    const key = { 'idempotency-key': 'again' };
    for (const _ of [1, 2]) {
      expect(await relay.post(route.path, apiKey, least, key)).toMatchObject({
        status: 503,
        body: { code: 'gateway_unreachable' },
      });
    }
    expect(gateway.received).toEqual([]);
  });

  it('returns an unsuccessful answer as the gateway sent it', async () => {
    const refusal =
      name === 'payout' ? { status: 'FAILED', failure_type: 'UNKNOWN' } : { return_status: '0', cancel_status: '0' };
    const empty = operation.batch ? { [operation.batch.list]: [] } : {};
    const { relay } = await setUp(faithful(name, { ...refusal, ...empty }));
    const got = await relay.post(route.path, apiKey, name === 'payout' ? full : least);
    expect(got.status, got.text).toBe(200);
    expect(got.body).toMatchObject({ ...refusal, ...empty });
  });

  if (isEffect) {
    it('is unknown when no answer arrives in time, and never resent', async () => {
      const { gateway, relay } = await setUp(() => undefined, { timeoutMs: 4000 });
      const key = { 'idempotency-key': 'once' };
      const first = await relay.post(route.path, apiKey, least, key);
      const id = String(first.headers.get('x-operation-id'));
      expect(first).toMatchObject({ status: 409, body: { code: 'outcome_unknown', operation_id: id } });
      const again = await relay.post(route.path, apiKey, least, key);
      expect(again).toMatchObject({ status: 409, body: { code: 'outcome_unknown', operation_id: id } });
      expect(gateway.sent(operation.path)).toHaveLength(1);
      expect((await relay.get(`/v1/operations/${id}`, apiKey)).body).toMatchObject({
        status: 'unknown',
        unknown: { reason: 'timeout' },
      });
    });

    it('is shown only to its own account and scope', async () => {
      const { relay } = await setUp(faithful(name));
      const got = await relay.post(route.path, apiKey, least);
      const path = `/v1/operations/${got.headers.get('x-operation-id')}`;
      expect((await relay.get(path, apiKey)).status).toBe(200);
      expect((await relay.get(path, otherAccountKey)).status).toBe(404);
      expect((await relay.get(path, queryOnlyKey)).status).toBe(403);
      expect((await relay.get(path)).status).toBe(401);
    });
  }

  if (operation.batch) {
    const { list } = operation.batch;
    it('is unknown when the answer is about other items', async () => {
      const wrong: Record<string, (item: object) => object[]> = {
        'another transaction': (item) => [{ ...item, transaction_id: 'T-other' }],
        'another amount': (item) => [{ ...item, amount: '1.00' }],
        'another currency': (item) => [{ ...item, currency: 'USD' }],
        'no item': () => [],
        'an item too many': (item) => [item, item],
      };
      for (const [what, change] of Object.entries(wrong).slice(0, isThorough ? undefined : 1)) {
        const script: Script = ({ message }: Received, res) => {
          const asked = message[list];
          const results = Array.isArray(asked) ? asked.map((item) => resultOf(name, item)).flatMap(change) : [];
          send(res, signed({ ...identity, return_status: '1', return_message: 'OK', [list]: results }));
        };
        const { relay } = await setUp(script);
        expect(await relay.post(route.path, apiKey, least), what).toMatchObject({
          status: 409,
          body: { code: 'outcome_unknown' },
        });
      }
    });

    it('refuses impossible transaction data before anything is sent', async () => {
      const { gateway, relay } = await setUp(faithful(name));
      const [item] = [least[list]].flat();
      const bad: Record<string, unknown[]> = {
        amount: ['-1.00', '1.005', '1e3', '', ' 1.00', 'NaN', 1, null, '1,00', '9999999999999999.00'],
        currency: ['brl', 'BR', 'BRLX', '', 986],
        transaction_id: ['', 'a\nb', 7, undefined, 'x'.repeat(256)],
      };
      // A card check that was paid with 0.00 can be cancelled.
      if (name !== 'cancel') bad.amount?.push('0.00');
      for (const [field, values] of Object.entries(bad)) {
        for (const value of values) {
          const got = await relay.post(route.path, apiKey, { [list]: [{ ...Object(item), [field]: value }] });
          expect(got, `${field} ${value}`).toMatchObject({
            status: 400,
            body: { errors: expect.arrayContaining([expect.objectContaining({ path: `${list}.0.${field}` })]) },
          });
        }
      }
      expect(await relay.post(route.path, apiKey, { [list]: [] })).toMatchObject({ status: 400 });
      expect(gateway.received).toEqual([]);
    });
  }
});

/** The body with an additional field in each of its objects, and that field's path. */
function misspelt(body: unknown, path: string[] = []): [unknown, string][] {
  if (Array.isArray(body)) {
    return body.flatMap((entry, at) =>
      misspelt(entry, [...path, String(at)]).map(([changed, where]): [unknown, string] => [
        body.with(at, changed),
        where,
      ]),
    );
  }
  if (typeof body !== 'object' || body === null) return [];
  const here: [unknown, string] = [{ ...body, amuont: '1.00' }, [...path, 'amuont'].join('.')];
  const deeper = Object.entries(body).flatMap(([name, value]) =>
    misspelt(value, [...path, name]).map(([changed, where]): [unknown, string] => [
      { ...body, [name]: changed },
      where,
    ]),
  );
  return [here, ...deeper];
}
