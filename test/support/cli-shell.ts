import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { createClient } from '../../client/index.ts';
import { startStack } from '../../sandbox/stack.ts';

const root = join(import.meta.dirname, '../..');
const apiKey = 'an-api-key-of-the-documentation-of-32-or-more';

/** The card that the sandbox approves. */
const card = { card: '4111111111111111', expiration_month: '12', expiration_year: '2030', security_code: '737' };

/** The orders that the page speaks of, each paid with 129.90 BRL. */
export const PAID_ORDERS = ['A-1001', 'A-1002', 'A-1003', 'A-1004', 'A-1005'];

/**
 * A shell for the blocks of docs/cli.md, run one after the other: in a folder of their own, with `turnpike` on the PATH, beside a
 * sandbox whose shop was paid for `PAID_ORDERS`. A comment `# exits 4` says that the block's last command ends so.
 */
export function documentedShell() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-docs-cli-'));
  let stop: (() => Promise<void>) | undefined;
  let address = '';

  beforeAll(async () => {
    const dataDir = join(folder, 'data');
    const env = { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0', TURNPIKE_API_KEY: apiKey };
    const stack = await startStack({ env, root, relayEntry: 'relay/main.ts', dataDir, errors: process.stderr });
    stop = stack.stop;
    address = stack.urls.relay;
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'turnpike'), `#!/bin/sh\nexec "${process.execPath}" "${root}/cli/main.ts" "$@"\n`);
    chmodSync(join(bin, 'turnpike'), 0o755);
    writeFileSync(join(folder, 'server.key'), `${apiKey}\n`);
    const client = createClient({ url: address, apiKey });
    for (const order_no of PAID_ORDERS) {
      const order = { order_no, currency: 'BRL', amount: '129.90', first_name: 'Ada', last_name: 'Byron' };
      const paid = await client.payments.create({ ...order, ...card });
      expect(paid.status, order_no).toBe('approved');
    }
  }, 120_000);

  afterAll(async () => stop?.());

  return {
    folder,
    /** Runs a block with bash; the sandbox's address stands for the page's. Fails where it ends otherwise than it says. */
    async run(code: string): Promise<string> {
      const PATH = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
      const env = { PATH, HOME: folder, TURNPIKE_URL: address, TURNPIKE_API_KEY: apiKey };
      const script = code.replaceAll('http://127.0.0.1:8080', address);
      const { exitCode, output } = await bash(script, folder, env);
      expect(exitCode, output).toBe(Number(/# exits (\d)/.exec(code)?.[1] ?? 0));
      return output;
    },
  };
}

function bash(code: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ exitCode: number | null; output: string }> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', code], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (data) => (output += String(data)));
  return new Promise((done, fail) => {
    shell.once('error', fail);
    shell.once('close', (exitCode) => done({ exitCode, output }));
  });
}
