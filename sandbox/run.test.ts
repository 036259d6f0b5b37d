import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { demoMerchant, parts } from './demo.ts';
import { listen } from './listen.ts';

/** Runs the start script with a stand-in for the relay, in a data folder of its own. */
async function start(env: Record<string, string> = {}) {
  const data = await mkdtemp(join(tmpdir(), 'turnpike-start-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'testing/start-with-stand-in.ts')], {
    env: { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0', STAND_IN_DATA: data, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (text) => (printed.out += text));
  child.stderr.on('data', (text) => (printed.err += text));
  const ended = once(child, 'close').then(([code]) => code);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(data, { recursive: true });
  });
  return { child, data, printed, ended };
}

async function addresses(child: ChildProcess, printed: { out: string }) {
  await expect.poll(() => printed.out).toContain('Ctrl-C stops everything');
  const at = (name: string) => new RegExp(`${name} +(http://127\\.0\\.0\\.1:\\d+)`).exec(printed.out)?.[1] ?? '';
  expect(child.exitCode).toBe(null);
  return { shop: at('Shop'), gateway: at('Gateway'), relay: at('Relay') };
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** The relay's config names the real addresses and holds no secret. */
async function configIsRight(data: string, shop: string, gateway: string): Promise<void> {
  const text = await readFile(join(data, 'relay.json'), 'utf8');
  expect((await stat(join(data, 'relay.json'))).mode & 0o777).toBe(0o600);
  const local = shop.replace('127.0.0.1', 'localhost');
  expect(JSON.parse(text)).toMatchObject({
    listen: { host: '127.0.0.1', port: 0 },
    public_url: 'http://127.0.0.1:0',
    store: `sqlite:${data}/turnpike.db`,
    gateway: { base_url: gateway, timeout_ms: 10_000 },
    issuer: { allow_private: true },
    accounts: [
      {
        merchant_id: '100001',
        account_id: '200001',
        signing_secret: { env: 'DEMO_SIGNING_SECRET' },
        allowed_origins: [shop, local],
        return_urls: [`${shop}/`, `${local}/`],
        api_keys: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      },
    ],
  });
  expect(text).not.toContain(demoMerchant.signing_secret);
}

test('it says where everything is, and SIGINT stops all of it', async () => {
  const { child, data, printed, ended } = await start();
  // As an earlier start left it.
  await writeFile(join(data, 'turnpike.db'), 'kept');
  const { shop, gateway, relay } = await addresses(child, printed);
  expect(await (await fetch(relay)).text()).toBe('relay');
  expect(await (await fetch(gateway)).text()).toContain('Gateway');
  expect(printed.out).toContain(`${gateway}/cards`);
  expect(printed.out).toMatch(new RegExp(`Webhooks +${shop}/webhooks +signed with whsec_\\S{44}\n`));
  expect(printed.out).toMatch(
    new RegExp(`\n    export TURNPIKE_URL=${relay} TURNPIKE_API_KEY=\\S+ TURNPIKE_WEBHOOK_SECRET=whsec_\\S{44}\n`),
  );
  expect((await fetch(`${shop}/thanks`)).status).toBe(404);
  expect(printed.out).toContain('4111 1111 1111 1111   Approved');
  // The log is in its file, and not among what people read.
  expect(printed.out).toContain(`The relay's log is ${join(data, 'relay.log')}`);
  expect(printed.out).not.toContain('{"');
  expect(await readFile(join(data, 'turnpike.db'), 'utf8')).toBe('kept');
  await configIsRight(data, shop, gateway);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(await Promise.all([shop, gateway, relay].map(answers))).toEqual([false, false, false]);
  expect(await readFile(join(data, 'relay.log'), 'utf8')).toContain('the stand-in stops');
  expect(printed.err).toBe('');
});

test('a key and a secret of the environment are not printed', async () => {
  const own = { TURNPIKE_API_KEY: 'key-of-the-environment', TURNPIKE_WEBHOOK_SECRET: `whsec_${'A'.repeat(44)}` };
  const { child, printed } = await start(own);
  const { relay } = await addresses(child, printed);
  expect(printed.out).toContain(`\n    export TURNPIKE_URL=${relay}\n`);
  expect(printed.out).toMatch(/its key is\n +\(from TURNPIKE_API_KEY\)\n/);
  expect(printed.out).toContain('signed with (from TURNPIKE_WEBHOOK_SECRET)\n');
  for (const secret of Object.values(own)) expect(printed.out).not.toContain(secret);
});

test('a second sandbox on the same folder changes nothing and exits 1', async () => {
  const first = await start();
  const { relay } = await addresses(first.child, first.printed);
  const config = await readFile(join(first.data, 'relay.json'), 'utf8');
  const second = await start({ STAND_IN_DATA: first.data });
  expect(await second.ended).toBe(1);
  expect(second.printed).toEqual({
    out: '',
    err: `Another sandbox uses the folder ${first.data}. Stop it, or use another folder.\n`,
  });
  expect(await readFile(join(first.data, 'relay.json'), 'utf8')).toBe(config);
  expect(await answers(relay)).toBe(true);
});

test('SIGTERM stops all of it, too', async () => {
  const { child, printed, ended } = await start();
  const { shop, gateway, relay } = await addresses(child, printed);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(await Promise.all([shop, gateway, relay].map(answers))).toEqual([false, false, false]);
});

test('a second Ctrl-C does not shorten the relay’s time to stop', async () => {
  const { child, data, printed, ended } = await start({ STAND_IN_STOPS_MS: '700' });
  const { relay } = await addresses(child, printed);
  child.kill('SIGINT');
  await new Promise((resolve) => setTimeout(resolve, 200));
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(await answers(relay)).toBe(false);
  expect(await readFile(join(data, 'relay.log'), 'utf8')).toContain('the stand-in stops');
});

test.each(Object.values(parts))('a taken port of the $name prints one line, and exits 1', async (part) => {
  const other = await listen(() => {}, 0, part);
  onTestFinished(() => other.close());
  const { printed, ended } = await start({ [part.variable]: String(other.port) });
  expect(await ended).toBe(1);
  expect(printed).toEqual({
    out: '',
    err: `Port ${other.port} (${part.name}) is taken. Set ${part.variable} to another port, or stop what uses it.\n`,
  });
});

test('a relay that cannot start reports its reason, and leaves nothing running', async () => {
  const { printed, ended } = await start({ STAND_IN_FAILS: '1' });
  expect(await ended).toBe(1);
  expect(printed.out).toBe('');
  expect(printed.err).toMatch(/^the stand-in cannot start\nThe relay did not start \(exit code 3\)\..+\n$/);
});

test('when the relay crashes everything stops with exit code 1', async () => {
  const { child, printed, ended } = await start();
  const { shop, gateway, relay } = await addresses(child, printed);
  await answers(`${relay}/die`);
  expect(await ended).toBe(1);
  expect(printed.err).toMatch(/^The relay ended by itself \(exit code 7\), so everything was stopped\..+\n$/);
  expect(await Promise.all([shop, gateway].map(answers))).toEqual([false, false]);
});
