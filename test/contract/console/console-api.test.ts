import { describe, expect, it } from 'vitest';
import { auditList } from '../../../shared/api/audit.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { done, refunding, transaction_id } from '../../support/gateways/refunding.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { ada, bob, signIn, startConsole } from '../../support/operators/console.ts';
import { apiKey, otherAccountKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const item = { transaction_id, order_no: 'A-1', currency: 'BRL', amount: '129.90', refund_amount: '10.00' };
const refund = { refund_orders: [item] };
const once = { 'idempotency-key': 'k-1' };

async function withGateway(settings: object = {}) {
  const gateway = await scriptedGateway(refunding(() => done));
  const relay = await startConsole({ gatewayUrl: gateway.url, console: settings });
  const refunds = () => gateway.sent(operations.refund.path).length;
  return { relay, refunds };
}

describe('the API in the console', () => {
  it('does what the person may do, in the person’s name', async () => {
    const { relay, refunds } = await withGateway();
    const visitor = await signIn(relay);
    const answer = await visitor.post('/console/api/demo/v1/refund', refund);
    expect(answer).toMatchObject({ status: 200, body: { refund_orders: [{ refund_status: '1' }] } });
    expect(refunds()).toBe(1);
    const id = answer.headers.get('x-operation-id');
    const operation = await visitor.get(`/console/api/demo/v1/operations/${id}`);
    expect(operation).toMatchObject({ status: 200, body: { by: 'person:Ada' } });
    const { body } = await visitor.get('/console/api/demo/v1/audit?by=person%3AAda');
    expect(auditList.parse(body).entries[0]).toMatchObject({ by: 'person:Ada', action: 'refund', subject: id });
  });

  it('compresses answers, except files that are streamed', async () => {
    const { relay } = await withGateway();
    const visitor = await signIn(relay);
    const stats = await visitor.get('/console/api/demo/v1/stats');
    expect(stats.headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
    const file = await visitor.get('/console/api/demo/v1/orders?format=csv');
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect(file.headers.get('content-encoding')).toBeNull();
  });

  it('returns problems like the API', async () => {
    const { relay } = await withGateway();
    const visitor = await signIn(relay);
    const asked = await visitor.get('/console/api/demo/v1/orders/none');
    const { body, status, headers } = await relay.get('/v1/orders/none', apiKey);
    expect(asked).toMatchObject({ status, body });
    expect(asked.headers.get('content-type')).toBe(headers.get('content-type'));
    expect(await visitor.get('/console/api/demo/v1/nothing')).toMatchObject({ status: 404 });
    const method = await visitor.post('/console/api/demo/v1/audit', {});
    expect(method).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
  });

  it('makes a refund once, however often its dialog sends it', async () => {
    const { relay, refunds } = await withGateway();
    const visitor = await signIn(relay);
    const [first, second] = [
      await visitor.post('/console/api/demo/v1/refund', refund, once),
      await visitor.post('/console/api/demo/v1/refund', refund, once),
    ];
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(refunds()).toBe(1);
  });

  it('separates the idempotency keys of people and API keys', async () => {
    const { relay, refunds } = await withGateway({ people: [ada, { ...bob, scopes: ['*'] }] });
    for (const name of ['Ada', 'Bob']) {
      const answer = await (await signIn(relay, name)).post('/console/api/demo/v1/refund', refund, once);
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
    }
    const byKey = await relay.post('/v1/refund', apiKey, refund, once);
    expect(byKey.headers.get('idempotency-replayed')).toBeNull();
    expect(refunds()).toBe(3);
  });

  it('accepts neither a sign-in as API key nor the reverse', async () => {
    const { relay, refunds } = await withGateway();
    const { cookie, me } = await signIn(relay);
    const asPerson = { cookie, 'x-csrf-token': me.csrf };
    expect(await relay.send('/v1/orders', { headers: asPerson })).toMatchObject({ status: 401 });
    expect(await relay.get('/console/api/demo/v1/orders', apiKey)).toMatchObject({ status: 401 });
    expect(await relay.post('/console/api/demo/v1/refund', apiKey, refund)).toMatchObject({ status: 401 });
    expect(refunds()).toBe(0);
  });
});

describe('a forged request', () => {
  it.each([
    ['without a token', { 'x-csrf-token': '' }],
    ['with a wrong token', { 'x-csrf-token': 'a'.repeat(43) }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another origin of the site', { 'sec-fetch-site': 'same-site' }],
  ])('is refused: %s', async (_what, headers) => {
    const { relay, refunds } = await withGateway();
    const visitor = await signIn(relay);
    const refused = { status: 403, body: { code: 'csrf' } };
    expect(await visitor.post('/console/api/demo/v1/refund', refund, headers)).toMatchObject(refused);
    expect(await visitor.post('/console/api/sign-out', {}, headers)).toMatchObject(refused);
    expect(refunds()).toBe(0);
    expect(await visitor.get('/console/api/me')).toMatchObject({ status: 200 });
  });

  it('is refused with another person’s token', async () => {
    const { relay, refunds } = await withGateway();
    const [visitor, other] = [await signIn(relay), await signIn(relay, 'Bob')];
    const headers = { 'x-csrf-token': other.me.csrf };
    expect(await visitor.post('/console/api/demo/v1/refund', refund, headers)).toMatchObject({ status: 403 });
    expect(refunds()).toBe(0);
  });
});

it('sends no updates to people without the scope', async () => {
  const { relay } = await withGateway({ people: [{ ...ada, scopes: ['query', 'refund'] }] });
  const { get } = await signIn(relay);
  expect(await get('/console/api/demo/live')).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
});

describe('an account that the person may not access', () => {
  it('sends no updates', async () => {
    const { relay } = await withGateway();
    const visitor = await signIn(relay);
    for (const account of ['other', 'unknown', 'DEMO', 'demo%2f..%2fother']) {
      const answer = await visitor.get(`/console/api/${account}/live?since=0`, { accept: 'application/json' });
      expect([account, answer.status, answer.body.code]).toEqual([account, 404, 'not_found']);
    }
  });

  it('shows an operation of another account to no person', async () => {
    const { relay } = await withGateway({ people: [{ ...bob, scopes: ['*'] }] });
    const { status, headers } = await relay.post('/v1/refund', apiKey, refund);
    expect(status).toBe(200);
    const visitor = await signIn(relay, 'Bob');
    const id = headers.get('x-operation-id');
    expect(await visitor.get(`/console/api/demo/v1/operations/${id}`)).toMatchObject({ status: 200 });
    expect(await visitor.get(`/console/api/other/v1/operations/${id}`)).toMatchObject({ status: 404 });
    expect(await relay.get(`/v1/operations/${id}`, otherAccountKey)).toMatchObject({ status: 404 });
  });
});

it('writes refusals to the audit log', async () => {
  const { relay } = await withGateway();
  const visitor = await signIn(relay, 'Bob');
  expect(await visitor.post('/console/api/demo/v1/refund', refund)).toMatchObject({ status: 403 });
  const entries = async () => auditList.parse((await relay.get('/v1/audit', apiKey)).body).entries;
  await until('the refusal is written', async () => (await entries()).length === 2);
  const [refused] = await entries();
  expect(refused).toMatchObject({ by: 'person:Bob', action: 'refund', problem: 'missing_scope' });
});
