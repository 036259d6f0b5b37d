import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../relay/routes/all.ts';
import type { NamedRoute } from '../../../relay/routes/route.ts';
import { type Scope, scopes } from '../../../shared/checkout/scopes.ts';
import { done, refunding, transaction_id } from '../../support/gateways/refunding.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { cheapHash, signIn, startConsole, type Visitor } from '../../support/operators/console.ts';
import { apiKey, type TestRelay } from '../../support/relays/relay.ts';

const named = scopes.filter((scope) => scope !== '*');
const password = cheapHash('p');

/** Every route of the server-side API that needs a scope, with its scopes, each of which is sufficient. */
const routes = allRoutes.flatMap((route) => {
  const { access } = route;
  return access.kind === 'api_key' && access.scopes ? [{ ...route, scopes: access.scopes }] : [];
});
const changing = routes.filter(({ method }) => method !== 'get');

/** A person with every scope except those of a route. */
const lacking = (needed: readonly Scope[]): string => `all but ${needed.toSorted().join(' ')}`;

/** A relay with a session and a refund of its account `demo`, and one person for each set of required scopes. */
async function setUp() {
  const gateway = await scriptedGateway(refunding(() => done));
  const sets = new Map(routes.map((route) => [lacking(route.scopes), route.scopes]));
  const people = [
    ...[...sets].map(([name, needed]) => ({ name, scopes: named.filter((one) => !needed.includes(one)) })),
    { name: 'all', scopes: ['*'] },
    { name: 'reader', scopes: ['console'] },
  ].map((person) => ({ ...person, password, accounts: ['demo'] }));
  const relay = await startConsole({ gatewayUrl: gateway.url, console: { people } });
  const session = await relay.session();
  const item = { transaction_id, order_no: 'A-1', currency: 'BRL', amount: '129.90', refund_amount: '10.00' };
  const refund = await relay.post('/v1/refund', apiKey, { refund_orders: [item] });
  const ids = { session: session.id, operation: refund.headers.get('x-operation-id') ?? '' };
  const before = gateway.received.length;
  /** The path of a route with existing values for its parameters. */
  const pathOf = ({ path }: NamedRoute): string =>
    path
      .replace('/sessions/{id}', `/sessions/${ids.session}`)
      .replace('/operations/{id}', `/operations/${ids.operation}`)
      .replaceAll(/\{\w+\}/g, 'none');
  return { relay, pathOf, reached: () => gateway.received.length - before };
}

/** Sends a request to a route as a person's browser could without the page. */
function ask(
  relay: TestRelay,
  { method }: NamedRoute,
  path: string,
  visitor?: Visitor,
  headers: Record<string, string> = {},
) {
  const own: Record<string, string> = visitor ? { cookie: visitor.cookie, 'x-csrf-token': visitor.me.csrf } : {};
  return relay.send(path, {
    method: method.toUpperCase(),
    headers: { ...own, 'content-type': 'application/json', ...headers },
    ...(method === 'get' ? {} : { body: '{}' }),
  });
}

describe('every API route in the console', () => {
  it('exists', () => {
    const paths = routes.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/v1/refund', '/v1/orders', '/v1/operations/{id}/settle']));
    expect(changing.length).toBeGreaterThan(15);
  });

  it('is refused to a person with every other scope', async () => {
    const { relay, pathOf, reached } = await setUp();
    const visitors = new Map<string, Visitor>();
    for (const route of routes) {
      const name = lacking(route.scopes);
      const visitor = visitors.get(name) ?? (await signIn(relay, name, 'p'));
      visitors.set(name, visitor);
      const { status, body } = await ask(relay, route, `/console/api/demo${pathOf(route)}`, visitor);
      expect([route.path, status, body.code]).toEqual([route.path, 403, 'missing_scope']);
    }
    expect(reached()).toBe(0);
  });

  it('changes nothing for a person with read access only', async () => {
    const { relay, pathOf, reached } = await setUp();
    const reader = await signIn(relay, 'reader', 'p');
    for (const route of changing) {
      const { status, body } = await ask(relay, route, `/console/api/demo${pathOf(route)}`, reader);
      expect([route.path, status, body.code]).toEqual([route.path, 403, 'missing_scope']);
    }
    expect(reached()).toBe(0);
  });

  it.each(['other', 'unknown', 'DEMO', 'demo%2f..%2fother', '__proto__'])(
    'returns 404 in an account that is not the person’s: %s',
    async (account) => {
      const { relay, pathOf, reached } = await setUp();
      const visitor = await signIn(relay, 'all', 'p');
      for (const route of routes) {
        const { status, body } = await ask(relay, route, `/console/api/${account}${pathOf(route)}`, visitor);
        expect([route.path, status, body.code]).toEqual([route.path, 404, 'not_found']);
      }
      expect(reached()).toBe(0);
    },
  );

  it.each([
    ['no token', { 'x-csrf-token': '' }],
    ['an invented token', { 'x-csrf-token': 'a'.repeat(43) }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused with %s', async (_what, headers) => {
    const { relay, pathOf, reached } = await setUp();
    const visitor = await signIn(relay, 'all', 'p');
    for (const route of changing) {
      const { status, body } = await ask(relay, route, `/console/api/demo${pathOf(route)}`, visitor, headers);
      expect([route.path, status, body.code]).toEqual([route.path, 403, 'csrf']);
    }
    expect(reached()).toBe(0);
  });

  it('refuses requests without a sign-in, and API keys', async () => {
    const { relay, pathOf, reached } = await setUp();
    for (const authorization of ['', `Bearer ${apiKey}`]) {
      for (const route of routes) {
        const { status, body } = await ask(relay, route, `/console/api/demo${pathOf(route)}`, undefined, {
          authorization,
        });
        expect([route.path, status, body.code]).toEqual([route.path, 401, 'unauthorized']);
      }
    }
    expect(reached()).toBe(0);
  });

  it('accepts the console’s cookie on no other route', async () => {
    const { relay, pathOf, reached } = await setUp();
    const visitor = await signIn(relay, 'all', 'p');
    for (const route of routes) {
      const { status, body } = await ask(relay, route, pathOf(route), visitor);
      expect([route.path, status, body.code]).toEqual([route.path, 401, 'unauthorized']);
    }
    expect(reached()).toBe(0);
  });
});

it('serves checkout and internal routes at no second address', async () => {
  const { relay, pathOf } = await setUp();
  const visitor = await signIn(relay, 'all', 'p');
  const others = allRoutes.filter(({ access }) => access.kind !== 'api_key');
  expect(others.length).toBeGreaterThan(10);
  for (const route of others) {
    const { status } = await ask(relay, route, `/console/api/demo${pathOf(route)}`, visitor);
    expect([route.path, status]).toEqual([route.path, 404]);
  }
});
