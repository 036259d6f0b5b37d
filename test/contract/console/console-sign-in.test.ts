import { describe, expect, it } from 'vitest';
import { PASSWORD_COST } from '../../../cli/settings/new.ts';
import { hashPassword } from '../../../relay/config/scrypt.ts';
import { auditList } from '../../../shared/api/audit.ts';
import { ada, bob, cheapHash, cookieIn, signIn, startConsole, trySignIn } from '../../support/operators/console.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const MINUTE_MS = 60_000;

describe('a sign-in', () => {
  it('identifies a person by a cookie others can neither read nor send', async () => {
    const relay = await startConsole({ console: { confirm_above: { BRL: '100' } } });
    const answer = await trySignIn(relay, 'Bob', 'bob’s');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ...{ name: 'Bob', scopes: ['console', 'query'], confirm_above: { BRL: '100.00' } },
        accounts: [
          { id: 'demo', name: 'Demo Shop' },
          { id: 'other', name: 'other' },
        ],
      },
    });
    const [cookie = '', ...more] = answer.headers.getSetCookie();
    expect(more).toEqual([]);
    const [pair, ...flags] = cookie.split('; ');
    expect(pair).toMatch(/^__Host-turnpike-console=[\w-]{43}$/);
    expect(flags.toSorted()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const again = await relay.send('/console/api/me', { headers: { cookie: cookieIn(answer.headers) } });
    expect(again.body).toEqual(answer.body);
    expect(relay.files().join()).not.toContain(cookieIn(answer.headers).split('=')[1]);
  });

  it('accepts a password as hashed by turnpike person new', async () => {
    const password = await hashPassword('ｐａｓｓ ﬁ', PASSWORD_COST, Buffer.alloc(16, 7));
    const relay = await startConsole({ console: { people: [{ ...ada, password }] } });
    expect(await trySignIn(relay, 'Ada', 'pass fi')).toMatchObject({ status: 200 });
    expect(await trySignIn(relay, 'Ada', 'pass f')).toMatchObject({ status: 401 });
  });

  it('is refused in the same words for known and unknown names', async () => {
    const relay = await startConsole();
    const [wrong, unknown] = [await trySignIn(relay, 'Ada', 'x'), await trySignIn(relay, 'Eve', 'x')];
    for (const { status, headers } of [wrong, unknown]) {
      expect(status).toBe(401);
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(unknown.text).toBe(wrong.text);
    expect(await relay.send('/console/api/me')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  it('returns a new token and ends the previous sign-in', async () => {
    const relay = await startConsole();
    const planted = `__Host-turnpike-console=${'a'.repeat(43)}`;
    const first = await trySignIn(relay, 'Ada', 'ada’s', { cookie: planted });
    expect(cookieIn(first.headers)).not.toBe(planted);
    expect(await relay.send('/console/api/me', { headers: { cookie: planted } })).toMatchObject({ status: 401 });
    const second = await trySignIn(relay, 'Ada', 'ada’s', { cookie: cookieIn(first.headers) });
    const [before, now] = [first, second].map(({ headers }) => ({ headers: { cookie: cookieIn(headers) } }));
    expect(await relay.send('/console/api/me', now)).toMatchObject({ status: 200 });
    expect(await relay.send('/console/api/me', before)).toMatchObject({ status: 401 });
  });

  it('ends after 15 minutes without a request, and after 12 hours', async () => {
    const relay = await startConsole();
    const [idle, busy] = [await signIn(relay), await signIn(relay)];
    relay.pass(14 * MINUTE_MS);
    expect(await busy.get('/console/api/me')).toMatchObject({ status: 200 });
    relay.pass(2 * MINUTE_MS);
    expect(await idle.get('/console/api/me')).toMatchObject({ status: 401 });
    for (let passed = 16; passed < 12 * 60; passed += 12) {
      expect(await busy.get('/console/api/me')).toMatchObject({ status: 200 });
      relay.pass(12 * MINUTE_MS);
    }
    expect(await busy.get('/console/api/me')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  it('is not extended by a page that only polls', async () => {
    const relay = await startConsole();
    const ada = await signIn(relay);
    for (let polls = 0; polls < 3; polls++) {
      expect(await ada.get('/console/api/demo/live?since=0', json)).toMatchObject({ status: 200 });
      relay.pass(5 * MINUTE_MS);
    }
    expect(await ada.get('/console/api/demo/live?since=0', json)).toMatchObject({ status: 401 });
  });

  it('is not extended by a page without user activity', async () => {
    const relay = await startConsole();
    const ada = await signIn(relay);
    for (let reads = 0; reads < 3; reads++) {
      expect(await ada.get('/console/api/demo/v1/orders', { 'x-idle': '1' })).toMatchObject({ status: 200 });
      relay.pass(5 * MINUTE_MS);
    }
    expect(await ada.get('/console/api/demo/v1/orders')).toMatchObject({ status: 401 });
  });

  it('ends with a sign-out', async () => {
    const relay = await startConsole();
    const ada = await signIn(relay);
    const out = await ada.post('/console/api/sign-out', {});
    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie()[0]).toMatch(/^__Host-turnpike-console=;.*Expires=Thu, 01 Jan 1970/);
    expect(await ada.get('/console/api/me')).toMatchObject({ status: 401 });
  });

  it('is not ended by the answer to another tab’s older request', async () => {
    const relay = await startConsole();
    const { cookie } = await signIn(relay);
    const again = await relay.send('/console/api/sign-in', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', password: 'ada’s' }),
    });
    expect(again.status).toBe(200);
    const older = await relay.send('/console/api/demo/v1/orders', { headers: { cookie } });
    expect([older.status, older.headers.getSetCookie()]).toEqual([401, []]);
    const { status } = await relay.send('/console/api/me', { headers: { cookie: cookieIn(again.headers) } });
    expect(status).toBe(200);
  });

  it('ends when the person gets another password or is removed', async () => {
    const first = await startConsole();
    const [ofAda, ofBob] = [await signIn(first), await signIn(first, 'Bob')];
    const changed = [{ ...ada, password: cheapHash('new') }, bob];
    const second = await startConsole({ folder: first.folder, console: { people: changed } });
    const me = (cookie: string, relay = second) => relay.send('/console/api/me', { headers: { cookie } });
    expect(await me(ofAda.cookie)).toMatchObject({ status: 401 });
    expect(await me(ofBob.cookie)).toMatchObject({ status: 200 });
    const third = await startConsole({ folder: first.folder, console: { people: [ada] } });
    expect(await me(ofBob.cookie, third)).toMatchObject({ status: 401 });
  });

  it('is refused before the audit entry, whose delay would reveal names', async () => {
    const relay = await startConsole();
    const { store } = relay.context;
    const { addAudit } = store.people;
    const held = Promise.withResolvers<void>();
    store.people.addAudit = async (entry) => held.promise.then(() => addAudit(entry));
    expect(await trySignIn(relay, 'Ada', 'x')).toMatchObject({ status: 401 });
    held.resolve();
    store.people.addAudit = addAudit;
    await until(
      'the refusal is written',
      async () => (await store.people.listAudit({ account: 'demo', limit: 2 })).length === 1,
    );
  });

  it('is refused after ten wrong passwords, until later', async () => {
    const relay = await startConsole();
    expect(await trySignIn(relay, 'Ada', 'ada’s')).toMatchObject({ status: 200 });
    for (let tries = 0; tries < 10; tries++) expect(await trySignIn(relay, 'Ada', 'x')).toMatchObject({ status: 401 });
    const limited = await trySignIn(relay, 'Ada', 'ada’s');
    expect(limited).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await trySignIn(relay, 'Bob', 'bob’s')).toMatchObject({ status: 200 });
    relay.pass(30 * MINUTE_MS);
    expect(await trySignIn(relay, 'Ada', 'ada’s')).toMatchObject({ status: 200 });
  });

  it('is refused to an address that tries many names', async () => {
    const relay = await startConsole();
    for (let tries = 0; tries < 50; tries++) {
      expect(await trySignIn(relay, `name ${tries}`, 'x')).toMatchObject({ status: 401 });
    }
    expect(await trySignIn(relay, 'Ada', 'ada’s')).toMatchObject({ status: 429 });
  });

  it('is in the audit log, except for unknown names', async () => {
    const relay = await startConsole();
    await trySignIn(relay, 'my password, typed too early', 'x');
    const written = async () => auditList.parse((await relay.get('/v1/audit', apiKey)).body).entries.length;
    await trySignIn(relay, 'Ada', 'x');
    await until('the refusal is written', async () => (await written()) === 1);
    const ada = await signIn(relay);
    await ada.post('/console/api/sign-out', {});
    const { entries } = auditList.parse((await relay.get('/v1/audit', apiKey)).body);
    const by = { by: 'person:Ada', ip: expect.stringContaining('127.0.0.1') };
    expect(entries).toMatchObject([
      { ...by, action: 'console.sign_out' },
      { ...by, action: 'console.sign_in' },
      { ...by, action: 'console.sign_in', problem: 'unauthorized' },
    ]);
    expect(relay.logLines.join()).not.toContain('typed too early');
  });

  it('is accepted only from the console’s own page', async () => {
    const relay = await startConsole();
    const foreign = await trySignIn(relay, 'Ada', 'ada’s', { 'sec-fetch-site': 'cross-site' });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'csrf' } });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await trySignIn(relay, 'Ada', 'ada’s', form)).toMatchObject({ status: 415 });
  });
});

const json = { accept: 'application/json' };

describe('a trusted header', () => {
  const people = [{ name: 'Zoë', scopes: ['console'], accounts: ['demo'] }, ada];
  const settings = { people, trust_header: 'X-Remote-User' };
  const named = (name: string) => ({ 'x-remote-user': Buffer.from(name).toString('latin1') });

  it('signs in the person whom a proxy names', async () => {
    const relay = await startConsole({ config: { trust_proxy: ['127.0.0.1'] }, console: settings });
    const answer = await relay.send('/console/api/me', { headers: named('Zoë') });
    expect(answer).toMatchObject({ status: 200, body: { name: 'Zoë' } });
    const cookie = cookieIn(answer.headers);
    const me = (headers: Record<string, string>) => relay.send('/console/api/me', { headers: { cookie, ...headers } });
    expect((await me(named('Zoë'))).body).toEqual(answer.body);
    expect((await me(named('Ada'))).body).toMatchObject({ name: 'Ada' });
    expect(await me({})).toMatchObject({ status: 401 });
    expect(await relay.send('/console/api/me', { headers: named('Eve') })).toMatchObject({ status: 401 });
    const foreign = { ...named('Zoë'), 'sec-fetch-site': 'cross-site' };
    expect(await relay.send('/console/api/me', { headers: foreign })).toMatchObject({ status: 403 });
    expect(await trySignIn(relay, 'Zoë', '')).toMatchObject({ status: 400 });
    expect(await trySignIn(relay, 'Zoë', 'x')).toMatchObject({ status: 401 });
  });

  it('is accepted from no other address', async () => {
    const relay = await startConsole({ config: { trust_proxy: ['10.0.0.1'] }, console: settings });
    const headers = { ...named('Ada'), 'x-forwarded-for': '10.0.0.1' };
    expect(await relay.send('/console/api/me', { headers })).toMatchObject({ status: 401 });
  });
});

it('serves no console when no sign-in is configured', async () => {
  const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:1' });
  expect(await relay.send('/console')).toMatchObject({ status: 404 });
  expect(await trySignIn(relay, 'Ada', 'x')).toMatchObject({ status: 404 });
});
