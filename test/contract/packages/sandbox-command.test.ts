import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { shopWithPackage } from '../../support/docs/packed-client.ts';
import { startReceiver, webhookSecret } from '../../support/http/receiver.ts';

/** Those of a shop's real relay. */
const ofShop = { TURNPIKE_API_KEY: 'key-of-the-real-relay', TURNPIKE_WEBHOOK_SECRET: `whsec_${'A'.repeat(44)}` };

/** Runs `turnpike sandbox` of the installed package until the test ends. */
function startSandbox(folder: string, args: readonly string[]) {
  const command = join(folder, 'node_modules/turnpike/cli/main.js');
  const ports = ['--port', '0', '--gateway-port', '0', '--shop-port', '0'];
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [command, 'sandbox', ...ports, ...args], {
    cwd: folder,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...ofShop, SANDBOX_WEBHOOK_SECRET: webhookSecret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (text) => (printed.out += text));
  child.stderr.on('data', (text) => (printed.err += text));
  const ended = once(child, 'close').then(([code]) => code);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { child, printed, ended };
}

it('the package starts a sandbox that takes payments, without the repository', async () => {
  const { folder } = await shopWithPackage();
  const receiver = await startReceiver();
  const { child, printed, ended } = startSandbox(folder, ['--webhook-url', receiver.url]);
  await expect.poll(() => printed).toMatchObject({ out: expect.stringContaining('Ctrl-C') });
  const found = (pattern: RegExp) => pattern.exec(printed.out)?.[1] ?? '';
  const relayUrl = found(/Relay +(http:\S+)/);
  expect(printed.out).toContain(`Webhooks  ${receiver.url}   signed with (from SANDBOX_WEBHOOK_SECRET)\n`);
  for (const secret of [webhookSecret, ...Object.values(ofShop)]) expect(printed.out).not.toContain(secret);
  for (const url of [found(/Shop +(http:\S+)/), found(/Console +(http:\S+)/), `${relayUrl}/docs`]) {
    expect((await fetch(url)).status, url).toBe(200);
  }
  const client = createClient({ url: relayUrl, apiKey: found(/key is\s+(\S+)/) });
  const order = { order_no: 'A-1', currency: 'BRL', amount: '12.00', card: testCards.approved.number };
  const expiry = { expiration_month: '12', expiration_year: '2040', security_code: '737' };
  expect(await client.payments.create({ ...order, ...expiry })).toMatchObject({ status: 'approved' });
  expect(await receiver.one('session.approved')).toMatchObject({ data: { order_no: 'A-1' } });
  // Tallies come from a thread of the relay.
  await expect
    .poll(async () => (await client.stats()).total.approved)
    .toEqual([{ currency: 'BRL', count: 1, amount: '12.00' }]);
  const data = join(folder, '.turnpike');
  expect(existsSync(join(data, 'turnpike.db'))).toBe(true);
  expect(readFileSync(join(data, '.gitignore'), 'utf8')).toBe('*\n');
  expect(statSync(data).mode & 0o777).toBe(0o700);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(printed.err).toBe('');
  await expect(fetch(relayUrl)).rejects.toThrow();
});
