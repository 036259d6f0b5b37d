import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { account, apiKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const root = join(import.meta.dirname, '../../..');

/** Starts the relay, reads its log, and returns its address and its process id. */
const parent = `
  const { spawn } = require('node:child_process');
  const relay = spawn(process.execPath, ['relay/main.ts'], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  relay.stdout.resume();
  relay.stderr.resume();
  relay.on('message', ({ url }) => console.log(JSON.stringify({ url, pid: relay.pid })));`;

it('ends when its parent process is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  const path = join(folder, 'relay.json');
  const { merchant_id, account_id, signingSecret: signing_secret } = account;
  const key = { name: 'server', sha256: sha256(apiKey), scopes: ['*'] };
  const shop = { id: 'demo', merchant_id, account_id, signing_secret, api_keys: [key] };
  const config = {
    listen: { port: 0 },
    public_url: 'http://127.0.0.1:0',
    store: 'sqlite::memory:',
    gateway: { base_url: 'http://127.0.0.1:9' },
    accounts: [{ ...shop, allowed_origins: ['http://127.0.0.1:8082'] }],
  };
  writeFileSync(path, JSON.stringify(config));
  const node = join(root, 'node_modules/.bin/node');
  const child = spawn(node, ['-e', parent], { cwd: root, env: { ...process.env, TURNPIKE_CONFIG: path } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  await until('the relay listens', () => out.includes('\n'));
  const { url, pid } = JSON.parse(out);
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  // Each is a line in the log.
  const refusals = () => Promise.allSettled(Array.from({ length: 20 }, () => fetch(`${url}/v1/sessions`)));
  await refusals();
  child.kill('SIGKILL');
  await refusals();
  await until('nothing listens', () =>
    fetch(url).then(
      () => false,
      (error) => error.cause?.code === 'ECONNREFUSED',
    ),
  );
  expect(out.trim().split('\n')).toHaveLength(1);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
