import { describe, expect, it } from 'vitest';
import { auditList } from '../../../shared/api/audit.ts';
import { me, own } from '../../../shared/api/console.ts';
import {
  ada,
  bob,
  cheapHash,
  cookieIn,
  signIn,
  startConsole,
  trySignIn,
  type Visitor,
  visitorOf,
} from '../../support/operators/console.ts';
import { enrol } from '../../support/operators/second-factor.ts';
import { apiKey, type TestRelay } from '../../support/relays/relay.ts';
import { sharedPostgres } from '../../support/stores/postgres.ts';

const MINUTE_MS = 60_000;

const listed = async (visitor: Visitor) => own.parse((await visitor.get('/console/api/own')).body).sign_ins;
const end = (visitor: Visitor, body: object) => visitor.post('/console/api/own/sign-ins/end', body);
const statusOf = async (visitor: Visitor) => (await visitor.get('/console/api/me')).status;
const actions = async (relay: TestRelay) =>
  auditList.parse((await relay.get('/v1/audit', apiKey)).body).entries.map(({ action }) => action);

/** Reads a stream of a visitor's account until it ends. */
async function untilEnd(
  relay: TestRelay,
  { cookie }: Visitor,
): Promise<{ begun: Promise<void>; ended: Promise<void> }> {
  const headers = { cookie, accept: 'text/event-stream' };
  const response = await fetch(`${relay.url}/console/api/demo/live`, { headers });
  const reader = (response.body ?? new ReadableStream()).getReader();
  const begun = reader.read().then(() => undefined);
  const ended = begun.then(async () => {
    while (!(await reader.read()).done);
  });
  return { begun, ended };
}

describe.each(['SQLite', 'PostgreSQL'])('own sign-ins in %s', (database) => {
  const start = async (settings: object = {}) => {
    const store = database === 'SQLite' ? {} : { config: { store: await (await sharedPostgres()).database() } };
    return startConsole({ ...store, ...settings });
  };

  it('are listed with times and addresses, newest first', async () => {
    const relay = await start();
    const first = await signIn(relay);
    relay.pass(5 * MINUTE_MS);
    const second = await signIn(relay);
    await signIn(relay, 'Bob');
    const [newest, oldest, ...more] = await listed(second);
    expect(more).toEqual([]);
    expect(newest).toMatchObject({ by: 'password', is_current: true, ip: expect.stringContaining('127.0.0.1') });
    expect(oldest).not.toHaveProperty('is_current');
    expect(Date.parse(newest?.created_at ?? '') - Date.parse(oldest?.created_at ?? '')).toBeGreaterThan(4 * MINUTE_MS);
    const text = JSON.stringify(await listed(second));
    for (const { cookie } of [first, second]) expect(text).not.toContain(cookie.split('=')[1]);
    relay.pass(11 * MINUTE_MS);
    expect(await listed(second)).toHaveLength(1);
  });

  it('are ended one by one, or all except this one', async () => {
    const relay = await start();
    const [a, b, c, here] = [await signIn(relay), await signIn(relay), await signIn(relay), await signIn(relay)];
    const oldest = (await listed(here)).at(-1)?.id;
    expect(await end(here, { id: oldest })).toMatchObject({ status: 204 });
    expect(await Promise.all([a, b, c, here].map(statusOf))).toEqual([401, 200, 200, 200]);
    expect(await end(here, {})).toMatchObject({ status: 204 });
    expect(await Promise.all([b, c, here].map(statusOf))).toEqual([401, 401, 200]);
    expect((await actions(relay)).filter((one) => one === 'console.sign_ins_end')).toHaveLength(2);
  });

  it('belong to the person alone', async () => {
    const relay = await start();
    const [visitor, other] = [await signIn(relay), await signIn(relay, 'Bob')];
    const [foreign] = await listed(other);
    expect(await end(visitor, { id: foreign?.id })).toMatchObject({ status: 404 });
    expect(await end(visitor, {})).toMatchObject({ status: 204 });
    expect(await statusOf(other)).toBe(200);
    const [current] = await listed(visitor);
    expect(await end(visitor, { id: current?.id })).toMatchObject({ status: 404 });
    expect(await end(visitor, {})).toMatchObject({ status: 204 });
    expect(await actions(relay)).not.toContain('console.sign_ins_end');
  });

  it('close their streams at once when they end', async () => {
    const relay = await start();
    const [other, here] = [await signIn(relay), await signIn(relay)];
    const { begun, ended } = await untilEnd(relay, other);
    await begun;
    await end(here, {});
    await ended;
  }, 10_000);

  it('end when the password changes, except the one that changed it', async () => {
    const relay = await start();
    const [other, here] = [await signIn(relay), await signIn(relay)];
    const changed = await change(here, 'correct horse 7');
    expect(changed.status).toBe(200);
    const next = visitorOf(relay, cookieIn(changed.headers), me.parse(changed.body));
    expect(await Promise.all([other, here, next].map(statusOf))).toEqual([401, 401, 200]);
    expect(await trySignIn(relay, 'Ada', 'ada’s')).toMatchObject({ status: 401 });
    expect(await trySignIn(relay, 'Ada', 'correct horse 7')).toMatchObject({ status: 200 });
    expect(await trySignIn(relay, 'Bob', 'bob’s')).toMatchObject({ status: 200 });
    expect(await actions(relay)).toContain('console.password_change');
    expect([...relay.logLines, ...relay.files()].join()).not.toContain('correct horse');
  });
});

const change = (visitor: Visitor, new_password: string, more: object = {}) =>
  visitor.post('/console/api/own/password', { password: 'ada’s', new_password, ...more });

describe('a person’s own password', () => {
  it.each(['short pass 1', 'correct horse', '123456789012'])(
    'must be long, with a letter and a digit: %s',
    async (given) => {
      const relay = await startConsole();
      const visitor = await signIn(relay);
      const { status, body } = await change(visitor, given.slice(0, given.startsWith('short') ? 11 : undefined));
      expect([status, body.code, body.errors]).toEqual([
        ...[400, 'invalid_request'],
        [expect.objectContaining({ path: 'new_password' })],
      ]);
    },
  );

  it('needs the current one, and the page’s own token, to change', async () => {
    const relay = await startConsole();
    const visitor = await signIn(relay);
    expect(await change(visitor, 'correct horse 7', { password: 'x' })).toMatchObject({
      ...{ status: 403, body: { code: 'password_wrong' } },
    });
    expect(await visitor.post('/console/api/own/password', {}, { 'x-csrf-token': '' })).toMatchObject({
      ...{ status: 403, body: { code: 'csrf' } },
    });
    expect(await change(visitor, 'correct horse 7', { password: 'correct horse 7' })).toMatchObject({ status: 400 });
    expect(await trySignIn(relay, 'Ada', 'ada’s')).toMatchObject({ status: 200 });
  });

  it('needs a code of the second factor to change', async () => {
    const relay = await startConsole();
    const { visitor, code } = await enrol(relay, await signIn(relay));
    for (const [given, problem] of [
      [{}, 'second_factor_required'],
      [{ code: '000000' }, 'second_factor_wrong'],
    ] as const) {
      expect(await change(visitor, 'correct horse 7', given)).toMatchObject({ status: 403, body: { code: problem } });
    }
    expect(await change(visitor, 'correct horse 7', { code: code() })).toMatchObject({ status: 200 });
  });

  it('is valid until the settings have another one', async () => {
    const first = await startConsole();
    await change(await signIn(first), 'correct horse 7');
    const restarted = await startConsole({ folder: first.folder });
    expect(await trySignIn(restarted, 'Ada', 'correct horse 7')).toMatchObject({ status: 200 });
    const visitor = await signIn(restarted, 'Ada', 'correct horse 7');
    const people = [{ ...ada, password: cheapHash('new') }, bob];
    const changed = await startConsole({ folder: first.folder, console: { people } });
    expect(await trySignIn(changed, 'Ada', 'new')).toMatchObject({ status: 200 });
    expect(await trySignIn(changed, 'Ada', 'correct horse 7')).toMatchObject({ status: 401 });
    expect(await statusOf(visitorOf(changed, visitor.cookie, visitor.me))).toBe(401);
  });

  it('allows a signed-in person no further guesses', async () => {
    const relay = await startConsole();
    const visitor = await signIn(relay);
    const answers = [];
    for (let tries = 0; tries < 12; tries++) {
      answers.push((await change(visitor, 'correct horse 7', { password: 'x' })).status);
    }
    expect(answers).toEqual([...Array(10).fill(403), 429, 429]);
    expect(await statusOf(visitor)).toBe(200);
  });
});
