import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreError } from '../../relay/base/errors.ts';
import type { Store } from '../../relay/store/store.ts';
import { approving, scriptedGateway } from '../support/gateways/scripted-gateway.ts';
import { apiKey, card, order, startTestRelay, type TestRelay } from '../support/relays/relay.ts';
import { startPostgres, type TestPostgres } from '../support/stores/postgres.ts';
import { until } from '../support/time/until.ts';

const key = { 'idempotency-key': 'once' };

const payout = {
  ...{ beneficiary_id: 'b', payment_amount: '10', payment_currency: 'BRL' },
  request_id: '7f9c24e8-3b12-4fef-91d0-0123456789ab',
};

/** A gateway that approves every payment and completes every payout. */
const gatewayFor = () =>
  scriptedGateway((received, res, req) => {
    if (received.path !== '/v1/payout') return approving(received, res, req);
    const { encryption_data: _, ...echo } = received.message;
    res.end(JSON.stringify({ ...echo, status: 'COMPLETED' }));
  });

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.close());

type Broken = 'keys.claim' | 'orders.write' | 'operations.begin' | 'keys.release';

/**
 * Makes a method of the store fail until the returned function is called: before its effect, or after it, as when its
 * answer is lost.
 */
function breakStore({ context: { store } }: TestRelay, method: Broken, when: 'before' | 'after'): () => void {
  const [methods, name, working] = methodOf(store, method);
  const broken = async (...args: never[]): Promise<never> => {
    if (when === 'after') await working(...args);
    throw new StoreError('lost');
  };
  Object.assign(methods, { [name]: broken });
  return () => void Object.assign(methods, { [name]: working });
}

/** The facet that has a method, the method's name in it, and the method. */
function methodOf(store: Store, method: Broken): [object, string, (...args: never[]) => Promise<unknown>] {
  switch (method) {
    case 'keys.claim':
      return [store.keys, 'claim', store.keys.claim];
    case 'keys.release':
      return [store.keys, 'release', store.keys.release];
    case 'orders.write':
      return [store.orders, 'write', store.orders.write];
    case 'operations.begin':
      return [store.operations, 'begin', store.operations.begin];
  }
}

/**
 * Waits until the relay has released keys twice: by the second time it has also recorded the unsent requests. It
 * tries once a second while the store fails, and four times a second afterwards.
 */
async function looked({ context: { store } }: TestRelay): Promise<void> {
  const { release } = store.keys;
  let looks = 0;
  store.keys.release = async (claims) => {
    await release(claims);
    looks += 1;
  };
  await until('two polls', () => looks >= 2);
  store.keys.release = release;
}

describe.each([
  { name: 'SQLite', config: async () => ({}) },
  { name: 'PostgreSQL', config: async () => ({ store: await postgres.database() }) },
])('after an outage of $name', ({ config }) => {
  const setUp = async () => {
    const gateway = await gatewayFor();
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: await config() });
    return { gateway, relay };
  };

  it.each<[Exclude<Broken, 'operations.begin'>, 'before' | 'after']>([
    ['keys.claim', 'after'],
    ['orders.write', 'before'],
    ['orders.write', 'after'],
  ])('an unsent payment is made under its key (%s lost, %s)', async (method, when) => {
    const { gateway, relay } = await setUp();
    const body = { ...order(), ...card };
    const pay = () => relay.post('/v1/payments', apiKey, body, key);
    const repair = [breakStore(relay, method, when), breakStore(relay, 'keys.release', 'before')];
    expect(await pay()).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    expect(await pay()).toMatchObject({ status: method === 'keys.claim' ? 503 : 409 });
    for (const each of repair) each();
    await looked(relay);
    expect((await pay()).body.status).toBe('approved');
    expect(gateway.authorised()).toHaveLength(1);
    expect((await pay()).headers.get('idempotency-replayed')).toBe('true');
    expect(gateway.authorised()).toHaveLength(1);
  });

  it.each<[Broken, 'before' | 'after']>([
    ['keys.claim', 'after'],
    ['operations.begin', 'before'],
    ['operations.begin', 'after'],
  ])('an unsent payout is made under its key (%s lost, %s)', async (method, when) => {
    const { gateway, relay } = await setUp();
    const pay = () => relay.post('/v1/payout', apiKey, payout, key);
    const repair = [breakStore(relay, method, when), breakStore(relay, 'keys.release', 'before')];
    expect(await pay()).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    for (const each of repair) each();
    await looked(relay);
    expect((await pay()).status).toBe(200);
    expect(gateway.sent('/v1/payout')).toHaveLength(1);
  });
});
