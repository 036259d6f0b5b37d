import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { codeOf, stepAt } from '../../../relay/console/sign-in/one-time-code.ts';
import { auditList } from '../../../shared/api/audit.ts';
import { own } from '../../../shared/api/console.ts';
import { ada, bob, cookieIn, signIn, startConsole, trySignIn, visitorOf } from '../../support/operators/console.ts';
import { beginEnrolment, bytesOf, enrol, STEP_MS, tryCode } from '../../support/operators/second-factor.ts';
import { apiKey, type TestRelay } from '../../support/relays/relay.ts';
import { sharedPostgres } from '../../support/stores/postgres.ts';
import { until } from '../../support/time/until.ts';

const MINUTE_MS = 60_000;

/** The actions and refusals in the audit log, oldest first. */
const acts = async (relay: TestRelay) =>
  auditList
    .parse((await relay.get('/v1/audit', apiKey)).body)
    .entries.map(({ action, problem }) => (problem === undefined ? action : `${action} ${problem}`))
    .toReversed();

describe.each(['SQLite', 'PostgreSQL'])('a second factor in %s', (database) => {
  const settings = async () =>
    database === 'SQLite' ? {} : { config: { store: await (await sharedPostgres()).database() } };
  const start = async (console: object = {}) => startConsole({ ...(await settings()), console });
  /** Two relays on one store, with one clock. */
  const startTwo = async () => {
    const one = await startConsole(await settings());
    const other = await startConsole({
      ...{ folder: one.folder, now: one.context.now, config: { store: one.context.config.store } },
    });
    return [one, other] as const;
  };

  it('is set up with an app, and required from then on', async () => {
    const relay = await start();
    const first = await signIn(relay);
    const begun = await beginEnrolment(first);
    expect(begun.address).toBe(
      `otpauth://totp/Turnpike%20127.0.0.1:Ada?secret=${begun.secret}&issuer=Turnpike%20127.0.0.1&algorithm=SHA1&digits=6&period=30`,
    );
    expect(bytesOf(begun.secret)).toHaveLength(20);
    expect(begun.qr).toMatch(/^<svg /);
    const { visitor, codes, code } = await enrol(relay, first);
    expect(codes).toHaveLength(10);
    for (const one of codes) expect(one).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    expect(own.parse((await visitor.get('/console/api/own')).body)).toMatchObject({
      ...{ has_password: true, is_required: false, factor: { recovery_codes: 10 } },
    });
    expect(await tryCode(relay, undefined)).toMatchObject({ status: 403, body: { code: 'second_factor_required' } });
    expect(await tryCode(relay, '000000')).toMatchObject({ status: 403, body: { code: 'second_factor_wrong' } });
    expect(await trySignIn(relay, 'Ada', 'x', {}, code())).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
    expect(await tryCode(relay, code())).toMatchObject({ status: 200, body: { name: 'Ada' } });
    await until('all is audited', async () => (await acts(relay)).length === 5);
    expect((await acts(relay)).toSorted()).toEqual([
      ...['console.second_factor_add', 'console.sign_in', 'console.sign_in'],
      ...['console.sign_in second_factor_wrong', 'console.sign_in unauthorized'],
    ]);
  });

  it('ends the sign-ins that were made without it', async () => {
    const relay = await start();
    const [other, first] = [await signIn(relay), await signIn(relay)];
    const { visitor } = await enrol(relay, first);
    expect(await visitor.get('/console/api/me')).toMatchObject({ status: 200 });
    for (const before of [other, first]) expect(await before.get('/console/api/me')).toMatchObject({ status: 401 });
  });

  it('accepts a code of the previous and the next step, each once', async () => {
    const relay = await start();
    const { code } = await enrol(relay, await signIn(relay));
    // Moves to the beginning of a step, so that no step ends meanwhile.
    relay.pass(10 * STEP_MS + STEP_MS - (relay.context.now().getTime() % STEP_MS));
    expect(await tryCode(relay, code(-2))).toMatchObject({ status: 403 });
    expect(await tryCode(relay, code(2))).toMatchObject({ status: 403 });
    expect(await tryCode(relay, code(-1))).toMatchObject({ status: 200 });
    expect(await tryCode(relay, code(-1))).toMatchObject({ status: 403, body: { code: 'second_factor_wrong' } });
    expect(await tryCode(relay, code(1))).toMatchObject({ status: 200 });
    // A code of a step before the last used one is refused, used or not.
    expect(await tryCode(relay, code(0))).toMatchObject({ status: 403 });
  });

  it('does not accept the code that confirmed it again', async () => {
    const relay = await start();
    const { code } = await enrol(relay, await signIn(relay));
    expect(await tryCode(relay, code(-1))).toMatchObject({ status: 403 });
  });

  it('accepts a code at one of two relays at once', async () => {
    const [one, other] = await startTwo();
    const { code, codes } = await enrol(one, await signIn(one));
    for (const given of [code(), codes[0]]) {
      const answers = await Promise.all([one, other, one, other].map((relay) => tryCode(relay, given)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403]);
    }
  });

  it('is replaced by a recovery code, once, in letters of any case', async () => {
    const relay = await start();
    const { codes, visitor } = await enrol(relay, await signIn(relay));
    const [first = '', second = ''] = codes;
    expect(await tryCode(relay, first.replaceAll('-', ' ').toUpperCase())).toMatchObject({ status: 200 });
    expect(await tryCode(relay, first)).toMatchObject({ status: 403, body: { code: 'second_factor_wrong' } });
    expect(await trySignIn(relay, 'Bob', 'bob’s', {}, second)).toMatchObject({ status: 200 });
    expect(await tryCode(relay, second)).toMatchObject({ status: 200 });
    expect(own.parse((await visitor.get('/console/api/own')).body).factor?.recovery_codes).toBe(8);
    expect(await acts(relay)).toContain('console.recovery_code_use');
  });

  it('gets new recovery codes in place of the old ones', async () => {
    const relay = await start();
    const { codes, visitor, code } = await enrol(relay, await signIn(relay));
    const path = '/console/api/own/second-factor/recovery-codes';
    expect(await visitor.post(path, { password: 'ada’s', code: '000000' })).toMatchObject({ status: 403 });
    const made = await visitor.post(path, { password: 'ada’s', code: code() });
    expect(made).toMatchObject({ status: 200, body: { recovery_codes: expect.any(Array) } });
    expect(await tryCode(relay, codes[0])).toMatchObject({ status: 403 });
    const [first] = Array.isArray(made.body.recovery_codes) ? made.body.recovery_codes : [];
    expect(await tryCode(relay, String(first))).toMatchObject({ status: 200 });
  });

  it('is removed only with password and code', async () => {
    const relay = await start();
    const { visitor, code } = await enrol(relay, await signIn(relay));
    const path = '/console/api/own/second-factor/remove';
    for (const [password, given, problem] of [
      ['x', code(), 'password_wrong'],
      ['ada’s', '000000', 'second_factor_wrong'],
    ]) {
      expect(await visitor.post(path, { password, code: given })).toMatchObject({
        status: 403,
        body: { code: problem },
      });
    }
    expect(await visitor.post(path, { password: 'ada’s' })).toMatchObject({ status: 400 });
    expect(await visitor.post(path, { password: 'ada’s', code: code() })).toMatchObject({ status: 200 });
    expect(await tryCode(relay, undefined)).toMatchObject({ status: 200 });
    expect(await acts(relay)).toContain('console.second_factor_remove');
  });

  it('is nowhere in plain text in store, log and audit log', async () => {
    const relay = await start();
    const first = await signIn(relay);
    const begun = await beginEnrolment(first);
    const { codes, code } = await enrol(relay, first);
    const given = code();
    await tryCode(relay, given);
    await tryCode(relay, codes[1]);
    const written = [...relay.logLines, ...relay.files(), (await relay.get('/v1/audit', apiKey)).text].join();
    for (const secret of [begun.secret, bytesOf(begun.secret).toString('base64'), ...codes, `"${given}"`]) {
      expect(written).not.toContain(secret);
      expect(written).not.toContain(secret.replaceAll('-', '').toUpperCase());
    }
  });

  it('survives a new signing secret and another order of accounts', async () => {
    const first = await start();
    const { code } = await enrol(first, await signIn(first));
    const [demo, ...others] = first.context.config.accounts;
    const config = (secrets: object) => ({
      store: first.context.config.store,
      accounts: [{ ...rawAccount('other', 'another secret') }, { ...rawAccount('demo', 'k3y-for-tests'), ...secrets }],
    });
    expect([demo?.id, others.length]).toEqual(['demo', 1]);
    const again = (secrets: object) =>
      startConsole({ folder: first.folder, now: first.context.now, config: config(secrets) });
    const rotated = await again({ signing_secret: 'new', previous_signing_secrets: ['k3y-for-tests'] });
    expect(await tryCode(rotated, code())).toMatchObject({ status: 200 });
    first.pass(STEP_MS);
    const later = await again({ signing_secret: 'new' });
    expect(await tryCode(later, code())).toMatchObject({ status: 200 });
  });
});

/** An account in the settings. */
function rawAccount(id: string, signing_secret: string) {
  return {
    ...{ id, signing_secret, merchant_id: id, account_id: id, allowed_origins: ['https://shop.example'] },
    api_keys: [{ name: 'all', sha256: sha256(id), scopes: ['*'] }],
  };
}

describe('setting up a second factor', () => {
  it('needs the password and the page’s own token', async () => {
    const relay = await startConsole();
    const visitor = await signIn(relay);
    const path = '/console/api/own/second-factor';
    const forged: Record<string, string>[] = [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': 'a'.repeat(43) },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of forged) {
      for (const more of ['', '/confirm', '/remove', '/recovery-codes']) {
        const answer = await visitor.post(`${path}${more}`, { password: 'ada’s' }, headers);
        expect(answer).toMatchObject({ status: 403, body: { code: 'csrf' } });
      }
    }
    expect(await visitor.post(path, { password: 'x' })).toMatchObject({
      status: 403,
      body: { code: 'password_wrong' },
    });
    expect(await relay.send(path, { method: 'POST', body: '{}' })).toMatchObject({ status: 401 });
  });

  it('accepts only what the relay recently created for this person', async () => {
    const relay = await startConsole();
    const [visitor, other] = [await signIn(relay), await signIn(relay, 'Bob')];
    const path = '/console/api/own/second-factor/confirm';
    const { enrolment } = await beginEnrolment(other);
    const { code } = await enrol(relay, other);
    for (const given of [enrolment, 'AAAA', `${enrolment}A`]) {
      expect(await visitor.post(path, { enrolment: given, code: code() })).toMatchObject({
        ...{ status: 403, body: { code: 'second_factor_wrong' } },
      });
    }
    const late = await beginEnrolment(visitor);
    relay.pass(16 * MINUTE_MS);
    const again = await signIn(relay);
    expect(await again.post(path, { enrolment: late.enrolment, code: '123456' })).toMatchObject({ status: 403 });
  });

  it('is refused to a person who has one', async () => {
    const relay = await startConsole();
    const first = await signIn(relay);
    const old = await beginEnrolment(first);
    const { visitor, code } = await enrol(relay, first);
    const path = '/console/api/own/second-factor';
    expect(await visitor.post(path, { password: 'ada’s' })).toMatchObject({
      ...{ status: 403, body: { code: 'second_factor_required' } },
    });
    const given = codeOf(bytesOf(old.secret), stepAt(relay.context.now()));
    expect(await visitor.post(`${path}/confirm`, { enrolment: old.enrolment, code: given })).toMatchObject({
      ...{ status: 409, body: { code: 'second_factor_enrolled' } },
    });
    expect(await tryCode(relay, code())).toMatchObject({ status: 200 });
  });
});

describe('a required second factor', () => {
  const required = { second_factor: 'required' };

  it('lets a person without one only set it up', async () => {
    const relay = await startConsole({ console: required });
    const visitor = await signIn(relay);
    expect(visitor.me.must_enrol).toBe(true);
    const reads = ['/console/api/demo/v1/orders', '/console/api/demo/live?since=0', '/console/api/other/v1/orders'];
    for (const path of reads) {
      const answer = await visitor.get(path, { accept: 'application/json' });
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'second_factor_not_enrolled']);
    }
    const writes = ['demo/v1/refund', 'own/password', 'own/sign-ins/end', 'own/second-factor/remove'];
    for (const path of writes) {
      const answer = await visitor.post(`/console/api/${path}`, {});
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'second_factor_not_enrolled']);
    }
    expect(own.parse((await visitor.get('/console/api/own')).body)).toEqual({
      ...{ has_password: true, is_required: true, sign_ins: [] },
    });
    const { visitor: after } = await enrol(relay, visitor);
    expect(after.me).not.toHaveProperty('must_enrol');
    expect(await after.get('/console/api/demo/v1/orders')).toMatchObject({ status: 200 });
    expect(await visitor.get('/console/api/demo/v1/orders')).toMatchObject({ status: 401 });
  });

  it('applies also to sign-ins made before the setting', async () => {
    const first = await startConsole();
    const { cookie, me } = await signIn(first);
    const second = await startConsole({ folder: first.folder, console: required });
    const visitor = visitorOf(second, cookie, me);
    expect(await visitor.get('/console/api/demo/v1/orders')).toMatchObject({ status: 403 });
    expect(await visitor.post('/console/api/sign-out', {})).toMatchObject({ status: 204 });
  });

  it('is not required of people whom a proxy signed in', async () => {
    const trusted = { people: [ada, { ...bob, password: undefined }], trust_header: 'X-Remote-User', ...required };
    const relay = await startConsole({ config: { trust_proxy: ['127.0.0.1'] }, console: trusted });
    const headers = { 'x-remote-user': 'Bob' };
    const answer = await relay.send('/console/api/me', { headers });
    expect(answer.body).not.toHaveProperty('must_enrol');
    const cookie = cookieIn(answer.headers);
    const orders = await relay.send('/console/api/demo/v1/orders', { headers: { ...headers, cookie } });
    expect(orders.status).toBe(200);
    const about = await relay.send('/console/api/own', { headers: { ...headers, cookie } });
    expect(about.body).toMatchObject({ has_password: false, sign_ins: [{ by: 'header', is_current: true }] });
  });
});

it('a lost second factor is reset in the settings', async () => {
  const first = await startConsole();
  const { visitor, codes } = await enrol(first, await signIn(first));
  const reset = (ms: number) => {
    const second_factor_reset = new Date(first.context.now().getTime() + ms).toISOString();
    const people = [{ ...ada, second_factor_reset }, bob];
    return startConsole({ folder: first.folder, now: first.context.now, console: { people } });
  };
  const [tooEarly, tooLate] = [await reset(-60 * MINUTE_MS), await reset(60 * MINUTE_MS)];
  for (const relay of [tooEarly, tooLate]) expect(await tryCode(relay, undefined)).toMatchObject({ status: 403 });
  first.pass(1000);
  const relay = await reset(0);
  const again = await tryCode(relay, undefined);
  expect(again).toMatchObject({ status: 200 });
  expect(await visitorOf(relay, visitor.cookie, visitor.me).get('/console/api/me')).toMatchObject({ status: 401 });
  await until('it is audited', async () => (await acts(relay)).includes('console.second_factor_reset'));
  expect(await relay.context.store.credentials.countRecoveryCodes('Ada')).toBe(0);
  first.pass(1000);
  const { code } = await enrol(relay, await signIn(relay));
  first.pass(STEP_MS);
  expect(await tryCode(relay, code())).toMatchObject({ status: 200 });
  expect(await tryCode(relay, codes[0])).toMatchObject({ status: 403 });
});
