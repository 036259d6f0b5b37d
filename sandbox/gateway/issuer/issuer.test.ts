import { request } from 'node:http';
import { expect, test } from 'vitest';
import { type IssuerBehaviourName, issuerBehaviourNames, issuerBehaviours } from '../faults/issuer-behaviours.ts';
import { elements, pixPayment, startGateway } from '../testing.ts';

const aBrowser = { 'user-agent': 'Mozilla/5.0' };

/** The address of an issuer with this behaviour, and its answer to each visit. */
async function issuerWith(manner: IssuerBehaviourName) {
  const gateway = await startGateway();
  const { issuer_url = '' } = await elements(await gateway.authorise(pixPayment({ order_no: `P-1-issuer:${manner}` })));
  return { issuer_url, page: issuer_url.replace('/start', '') };
}

/** One visit with these headers and no others: its status and where it leads, or how the connection ended. */
function visit(address: string, headers: Record<string, string> = aBrowser, ms = 5000) {
  return new Promise<{ status?: number | undefined; location?: string | undefined; cookie?: string; error?: string }>(
    (done) => {
      const asked = request(address, { headers, agent: false, signal: AbortSignal.timeout(ms) }, (answer) => {
        const { location, 'set-cookie': [cookie = ''] = [] } = answer.headers;
        const [named = ''] = cookie.split(';');
        done({ status: answer.statusCode, ...(location && { location }), ...(named && { cookie: named }) });
        answer.resume();
      });
      asked.on('error', (error) => done({ error: 'code' in error ? String(error.code) : error.name }));
      asked.end();
    },
  );
}

const failing: [IssuerBehaviourName, number, number][] = [
  ['busy', 503, 1],
  ['down', 503, 2],
  ['first_401', 401, 1],
  ['first_403', 403, 1],
  ['first_404', 404, 1],
  ['first_429', 429, 1],
  ['first_500', 500, 1],
];
test.each(failing)('%s answers %i to %i visits, then leads to the page', async (manner, status, times) => {
  const { issuer_url, page } = await issuerWith(manner);
  for (let at = 0; at < times; at++) expect(await visit(issuer_url)).toEqual({ status });
  expect(await visit(issuer_url)).toEqual({ status: 302, location: new URL(page).pathname });
  expect(await visit(page)).toEqual({ status: 200 });
});

test('browsers_only refuses a visit without User-Agent', async () => {
  const { issuer_url } = await issuerWith('browsers_only');
  expect(await visit(issuer_url, {})).toEqual({ status: 403 });
  expect(await visit(issuer_url)).toMatchObject({ status: 302 });
});

test('cookie leads on only with the cookie that it set', async () => {
  const { issuer_url, page } = await issuerWith('cookie');
  const first = await visit(issuer_url);
  expect(first).toMatchObject({ status: 302, location: expect.stringMatching(/\?again=1$/) });
  const again = new URL(first.location ?? '', issuer_url).href;
  expect(await visit(again)).toEqual({ status: 403 });
  const led = await visit(again, { ...aBrowser, cookie: first.cookie ?? '' });
  expect(led).toEqual({ status: 302, location: new URL(page).pathname });
});

test('app redirects to the bank’s own scheme', async () => {
  const { issuer_url, page } = await issuerWith('app');
  expect(await visit(issuer_url)).toEqual({ status: 302, location: `sandbank://pay/${page.split('/').at(-1)}` });
});

test('reset and silent fail the first visit’s connection', async () => {
  for (const [manner, error] of [
    ['reset', 'ECONNRESET'],
    ['silent', 'ABORT_ERR'],
  ] as const) {
    const { issuer_url } = await issuerWith(manner);
    expect(await visit(issuer_url, aBrowser, manner === 'silent' ? 300 : 5000)).toEqual({ error });
    expect(await visit(issuer_url)).toMatchObject({ status: 302 });
  }
});

test('once shows its page to one visit', async () => {
  const { issuer_url, page } = await issuerWith('once');
  expect(await visit(issuer_url)).toMatchObject({ status: 302 });
  expect(await visit(page)).toEqual({ status: 200 });
  expect(await visit(page)).toEqual({ status: 410 });
});

test('the page and the API choose the behaviour of later payments', async () => {
  const gateway = await startGateway();
  const body = new URLSearchParams({ manner: 'app' });
  const sent = await fetch(`${gateway.url}/admin/forms/issuer`, { method: 'POST', body });
  expect(await sent.text()).toContain('<option value="app" selected>');
  expect(gateway.issuers.chosen).toBe('app');
  const { issuer_url = '' } = await elements(await gateway.authorise(pixPayment()));
  expect((await visit(issuer_url)).location).toMatch(/^sandbank:/);
  expect(await gateway.admin('PUT', 'issuer', { manner: 'busy' })).toEqual({ status: 200, body: { manner: 'busy' } });
  expect(await gateway.admin('GET', 'issuer')).toEqual({ status: 200, body: { manner: 'busy' } });
  expect((await gateway.admin('PUT', 'issuer', { manner: 'rude' })).status).toBe(400);
});

test('an order number with an unknown behaviour is refused', async () => {
  const { authorise, payments } = await startGateway();
  expect((await authorise(pixPayment({ order_no: 'P-1-issuer:rude' }))).status).toBe(400);
  expect(payments.list()).toEqual([]);
});

test('every behaviour is listed on the pages for people', async () => {
  const { url } = await startGateway();
  for (const path of ['/', '/cards']) {
    const page = await (await fetch(url + path)).text();
    for (const name of issuerBehaviourNames) {
      expect(page).toContain(`issuer:${name}`);
      expect(page).toContain(issuerBehaviours[name].does);
    }
  }
});
