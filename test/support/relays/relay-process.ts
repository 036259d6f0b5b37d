import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { until } from '../time/until.ts';
import { account, apiKey } from './relay.ts';

const root = join(import.meta.dirname, '../../..');

/** Starts a relay as a separate process, with a real SQLite file, for one test. */
export function spawnRelay(options: {
  gatewayUrl: string;
  timeoutMs?: number;
  config?: object;
  nodeOptions?: string[];
  env?: Record<string, string>;
  /** How many file descriptors it may have. */
  descriptors?: number;
}) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  const path = join(folder, 'relay.json');
  writeFileSync(
    path,
    JSON.stringify({ ...configOf(options), store: `sqlite:${join(folder, 'turnpike.db')}`, ...options.config }),
  );
  const node = join(root, 'node_modules/.bin/node');
  const run = [node, ...(options.nodeOptions ?? []), 'relay/main.ts'];
  const limited = ['-c', `ulimit -n ${options.descriptors ?? '$(ulimit -n)'} && exec "$@"`, 'sh', ...run];
  const child = spawn('/bin/sh', limited, {
    cwd: root,
    env: { ...process.env, TURNPIKE_CONFIG: path, ...options.env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    output.out += data;
  });
  child.stderr.on('data', (data) => {
    output.err += data;
  });
  const exited: Promise<number | null> = once(child, 'close').then(([code]) => code);
  const listening = async (): Promise<string> => {
    await until('the relay listens', () => /relay listening/.test(output.out));
    return /"url":"([^"]+)"/.exec(output.out)?.[1] ?? '';
  };
  /** The lines of its log with a message. */
  const lines = (message: string): Record<string, unknown>[] =>
    output.out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === message);
  /** Replaces parts of its config file. */
  const configure = (config: object): void => {
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...config }));
  };
  return { child, folder, output, exited, listening, lines, configure };
}

function configOf({ gatewayUrl, timeoutMs = 20_000 }: { gatewayUrl: string; timeoutMs?: number }): object {
  return {
    listen: { port: 0 },
    server: { idle_ms: 600_000 },
    public_url: 'http://127.0.0.1:0',
    gateway: { base_url: gatewayUrl, timeout_ms: timeoutMs },
    accounts: [
      {
        id: 'demo',
        merchant_id: account.merchant_id,
        account_id: account.account_id,
        signing_secret: account.signingSecret,
        allowed_origins: ['http://127.0.0.1:8082'],
        api_keys: [{ name: 'server', sha256: sha256(apiKey), scopes: ['*'] }],
      },
    ],
  };
}
