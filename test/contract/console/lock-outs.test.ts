import { describe, expect, it } from 'vitest';
import { auditList } from '../../../shared/api/audit.ts';
import { signIn, startConsole, trySignIn } from '../../support/operators/console.ts';
import { enrol, tryCode } from '../../support/operators/second-factor.ts';
import { apiKey, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A relay behind a proxy that forwards the addresses of the test. */
const start = (console: object = {}) => startConsole({ config: { trust_proxy: ['127.0.0.1'] }, console });
const from = (address: string) => ({ 'x-forwarded-for': address });
const elsewhere = (n: number) => from(`203.0.${Math.floor(n / 250)}.${n % 250}`);

/** Tries wrong passwords for a name, each from another address. Returns how many were checked. */
async function guess(relay: TestRelay, name: string, guesses: number, first = 0): Promise<number> {
  let checked = 0;
  for (let at = first; at < first + guesses; at++) {
    if ((await trySignIn(relay, name, 'x', elsewhere(at))).status === 401) checked += 1;
  }
  return checked;
}

const refusals = async (relay: TestRelay) =>
  auditList
    .parse((await relay.get('/v1/audit?limit=1000', apiKey)).body)
    .entries.flatMap(({ problem }) => problem ?? []);

describe('wrong passwords from unknown networks', () => {
  it('are limited for a name, from any number of addresses', async () => {
    const relay = await start();
    expect(await guess(relay, 'Ada', 150)).toBe(100);
    relay.pass(30 * MINUTE_MS);
    expect(await guess(relay, 'Ada', 10, 200)).toBe(0);
    relay.pass(31 * MINUTE_MS);
    expect(await guess(relay, 'Ada', 150, 300)).toBe(100);
  });

  it('do not lock a person out of a known network', async () => {
    const relay = await start();
    const [home, ipv6] = [from('198.51.100.7'), from('2001:db8:1:2::3')];
    for (const headers of [home, ipv6])
      expect(await trySignIn(relay, 'Ada', 'ada’s', headers)).toMatchObject({ status: 200 });
    await guess(relay, 'Ada', 101);
    for (const headers of [home, ipv6, from('2001:db8:1:2:9::9')]) {
      expect(await trySignIn(relay, 'Ada', 'ada’s', headers)).toMatchObject({ status: 200 });
    }
    for (const headers of [from('198.51.100.8'), from('2001:db8:1:3::3')]) {
      expect(await trySignIn(relay, 'Ada', 'ada’s', headers)).toMatchObject({ status: 429 });
    }
    // A known network does not allow more guesses, either.
    const answers = [];
    for (let tries = 0; tries < 12; tries++) answers.push((await trySignIn(relay, 'Ada', 'x', home)).status);
    expect(answers).toEqual([...Array(10).fill(401), 429, 429]);
  });

  it('do not lock other people out of their known networks', async () => {
    const relay = await start();
    expect(await trySignIn(relay, 'Bob', 'bob’s', from('198.51.100.7'))).toMatchObject({ status: 200 });
    await guess(relay, 'Ada', 101);
    expect(await trySignIn(relay, 'Ada', 'ada’s', from('198.51.100.7'))).toMatchObject({ status: 429 });
  });

  it('do not exempt a network that was last used long ago', async () => {
    const relay = await start();
    const home = from('198.51.100.7');
    await trySignIn(relay, 'Ada', 'ada’s', home);
    relay.pass(91 * DAY_MS);
    await guess(relay, 'Ada', 101);
    expect(await trySignIn(relay, 'Ada', 'ada’s', home)).toMatchObject({ status: 429 });
  });

  it('do not lock out people with a recovery code', async () => {
    const relay = await start();
    const { codes, code } = await enrol(relay, await signIn(relay));
    const [first = '', second = ''] = codes;
    await guess(relay, 'Ada', 101);
    expect(await tryCode(relay, code(), elsewhere(500))).toMatchObject({ status: 429 });
    expect(await trySignIn(relay, 'Ada', 'x', elsewhere(500), first)).toMatchObject({ status: 401 });
    expect(await tryCode(relay, first, elsewhere(500))).toMatchObject({ status: 200 });
    expect(await tryCode(relay, first, elsewhere(501))).toMatchObject({ status: 429 });
    expect(await tryCode(relay, second.replace(/./, '7'), elsewhere(501))).toMatchObject({ status: 429 });
  });
});

it('wrong passwords with a stolen recovery code are limited, too', async () => {
  const relay = await start();
  const { codes } = await enrol(relay, await signIn(relay));
  const statuses = [];
  for (let at = 0; at < 30; at++) statuses.push((await trySignIn(relay, 'Ada', 'x', elsewhere(at), codes[0])).status);
  expect(statuses).toEqual([...Array(20).fill(401), ...Array(10).fill(429)]);
});

describe('codes of a second factor', () => {
  it('are limited to twenty wrong guesses from unknown networks', async () => {
    const relay = await start();
    const home = from('198.51.100.7');
    await trySignIn(relay, 'Ada', 'ada’s', home);
    const { codes, code } = await enrol(relay, await signIn(relay));
    for (let at = 0; at < 20; at++) {
      expect(await tryCode(relay, '000000', elsewhere(at))).toMatchObject({ status: 403 });
      relay.pass(MINUTE_MS);
    }
    // The next right code is refused from an unknown network, even much later.
    relay.pass(DAY_MS);
    expect(await tryCode(relay, code(), elsewhere(50))).toMatchObject({
      status: 403,
      body: { code: 'second_factor_wrong' },
    });
    expect(await tryCode(relay, codes[0], elsewhere(51))).toMatchObject({ status: 200 });
    expect(await tryCode(relay, code(), elsewhere(52))).toMatchObject({ status: 200 });
  });

  it('are accepted from a known network after wrong codes from elsewhere', async () => {
    const relay = await start();
    const home = from('198.51.100.7');
    await trySignIn(relay, 'Ada', 'ada’s', home);
    const { code } = await enrol(relay, await signIn(relay));
    for (let at = 0; at < 25; at++) await tryCode(relay, '000000', elsewhere(at));
    expect(await tryCode(relay, code(), home)).toMatchObject({ status: 200 });
  });

  it('count as wrong passwords do', async () => {
    const relay = await start();
    const { code } = await enrol(relay, await signIn(relay));
    const answers = [];
    for (let tries = 0; tries < 12; tries++) answers.push((await tryCode(relay, '000000', elsewhere(0))).status);
    expect(answers).toEqual([...Array(10).fill(403), 429, 429]);
    expect(await tryCode(relay, code(), elsewhere(1))).toMatchObject({ status: 200 });
  });

  it('are requested only after the right password', async () => {
    const relay = await start();
    await enrol(relay, await signIn(relay));
    for (const code of [undefined, '000000']) {
      expect(await trySignIn(relay, 'Ada', 'x', {}, code)).toMatchObject({
        status: 401,
        body: { code: 'unauthorized' },
      });
    }
  });
});

describe('the audit log', () => {
  it('records a lock-out once, however many tries it refuses', async () => {
    const relay = await start();
    await guess(relay, 'Ada', 130);
    await until('it is written', async () => (await refusals(relay)).includes('too_many_attempts'));
    expect((await refusals(relay)).filter((code) => code === 'too_many_attempts')).toHaveLength(1);
    relay.pass(61 * MINUTE_MS);
    await guess(relay, 'Ada', 130, 300);
    await until(
      'the second is written',
      async () => (await refusals(relay)).filter((code) => code === 'too_many_attempts').length === 2,
    );
  });

  it('records each address that is locked out', async () => {
    const relay = await start();
    for (const at of [0, 1]) for (let tries = 0; tries < 14; tries++) await trySignIn(relay, 'Ada', 'x', elsewhere(at));
    await until(
      'both are written',
      async () => (await refusals(relay)).filter((code) => code === 'too_many_attempts').length === 2,
    );
    expect((await refusals(relay)).filter((code) => code === 'unauthorized')).toHaveLength(20);
  });

  it('contains no unknown name', async () => {
    const relay = await start();
    for (let tries = 0; tries < 14; tries++) await trySignIn(relay, 'a password, by mistake', 'x', elsewhere(0));
    expect(await refusals(relay)).toEqual([]);
  });
});
