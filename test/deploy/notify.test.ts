import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { spawnRelay } from '../support/relays/relay-process.ts';
import { until } from '../support/time/until.ts';

const root = join(import.meta.dirname, '../..');
const node = join(root, 'node_modules/.bin/node');

/** Prints each message to the socket as a line. In Python, because Node.js does not support Unix datagram sockets. */
const LISTENER = `use IO::Socket::UNIX; use Socket; $| = 1;
my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $ARGV[0]) or die $!; print "listening\\n";
while (defined $socket->recv(my $text, 4096)) { $text =~ s/\\n/ /g; print "$text\\n"; }`;

/** A stand-in for systemd, which collects the messages. */
async function systemd() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-notify-'));
  const socket = join(folder, 'notify');
  const listener = spawn('perl', ['-e', LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(listener, 'close');
  let text = '';
  listener.stdout.on('data', (data) => (text += String(data)));
  onTestFinished(async () => {
    listener.kill();
    await ended;
    rmSync(folder, { recursive: true });
  });
  await until('systemd’s socket is there', () => text.startsWith('listening\n'));
  /** The messages, without the marks by which systemd-notify waits for it. */
  const messages = () =>
    text
      .split('\n')
      .slice(1, -1)
      .map((line) => line.trim())
      .filter((line) => line !== 'BARRIER=1');
  return { folder, env: { NOTIFY_SOCKET: socket }, messages };
}

it('notifies systemd when the relay is ready, and when it stops', async () => {
  const manager = await systemd();
  const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', env: manager.env });
  const url = await relay.listening();
  await until('it is ready', () => manager.messages().length > 0);
  expect(manager.messages()).toEqual([`READY=1 STATUS=Ready: ${url}`]);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  relay.child.kill('SIGTERM');
  expect(await relay.exited).toBe(0);
  await until('it stops', () => manager.messages().length > 1);
  expect(manager.messages()[1]).toMatch(/^STOPPING=1 STATUS=Stopping/);
});

it('shows a refused reload in the status', async () => {
  const manager = await systemd();
  const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', env: manager.env });
  await relay.listening();
  relay.configure({ retention_days: 'none' });
  relay.child.kill('SIGHUP');
  await until('it has refused', () => manager.messages().length > 1);
  expect(manager.messages()[1]).toMatch(/^STATUS=Ready: .* The last reload was refused: retention_days: /);
  relay.configure({ retention_days: 30 });
  relay.child.kill('SIGHUP');
  await until('it has reloaded', () => manager.messages().length > 2);
  expect(manager.messages()[2]).toMatch(/^STATUS=Ready: \S+$/);
});

it('shows the code of what keeps the relay from starting', async () => {
  const manager = await systemd();
  const store = { store: 'postgres://turnpike:secret-word@127.0.0.1:9/turnpike' };
  const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', config: store, env: manager.env });
  expect(await relay.exited).toBe(3);
  await until('systemd has heard it', () => manager.messages().length > 0);
  expect(manager.messages()).toEqual([expect.stringMatching(/^STATUS=Not started \(store, ECONNREFUSED\): /)]);
  expect(manager.messages().join()).not.toContain('secret-word');
});

it('starts even if systemd-notify fails', async () => {
  const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', env: { NOTIFY_SOCKET: '/nowhere/notify' } });
  const url = await relay.listening();
  await until('it is logged', () => relay.lines('systemd not notified: systemd-notify failed').length > 0);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

it('checks settings and secrets before it starts', async () => {
  const manager = await systemd();
  const config = join(manager.folder, 'relay.json');
  const account = { id: 'a', merchant_id: '1', account_id: '2', allowed_origins: ['http://a.example'] };
  const keys = { api_keys: [{ name: 'a', sha256: 'a'.repeat(64), scopes: ['*'] }] };
  const accounts = [{ ...account, ...keys, signing_secret: { file: 'signing' } }];
  const settings = { public_url: 'http://127.0.0.1:1', gateway: { base_url: 'http://127.0.0.1:9' }, accounts };
  writeFileSync(config, JSON.stringify(settings));
  const env = { ...process.env, ...manager.env, TURNPIKE_CONFIG: config, CREDENTIALS_DIRECTORY: manager.folder };
  const check = (...args: string[]) =>
    spawnSync(node, ['relay/check.ts', ...args], { cwd: root, env, encoding: 'utf8' });
  const missing = check();
  expect(missing.status).toBe(1);
  expect(JSON.parse(missing.stderr)).toMatchObject({ level: 'fatal', class: 'config', exit_code: 1 });
  await until('systemd has heard it', () => manager.messages().length > 0);
  expect(manager.messages()[0]).toMatch(/^STATUS=Not started \(config, .*accounts\.0\.signing_secret: /);
  // A relay that goes on is no reason to wake a person, and has its own status.
  const refused = check('--reload');
  expect(refused.status).toBe(1);
  expect(JSON.parse(refused.stderr)).toMatchObject({ level: 'error', class: 'config' });
  expect(manager.messages()).toHaveLength(1);
  writeFileSync(join(manager.folder, 'signing'), 's'.repeat(40));
  expect(check()).toMatchObject({ status: 0, stdout: '', stderr: '' });
});
