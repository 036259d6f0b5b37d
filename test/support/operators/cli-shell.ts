import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { createClient } from '../../../client/index.ts';
import { demoMerchant } from '../../../sandbox/demo.ts';
import { SECRET_VARIABLE, WEBHOOK_SECRET_VARIABLE } from '../../../sandbox/relay-config.ts';
import { startStack } from '../../../sandbox/stack.ts';
import { serve } from '../http/http-server.ts';

const root = join(import.meta.dirname, '../../..');
const apiKey = 'an-api-key-of-the-documentation-of-32-or-more';

/** The secrets that the relay's settings name, for commands that read the settings. */
const secrets = {
  [SECRET_VARIABLE]: demoMerchant.signing_secret,
  [WEBHOOK_SECRET_VARIABLE]: `whsec_${Buffer.alloc(32, 'documentation').toString('base64')}`,
};

/** A card that the sandbox approves. */
const card = { card: '4111111111111111', expiration_month: '12', expiration_year: '2030', security_code: '737' };

/** The orders that the page mentions, each paid with 129.90 BRL. */
const PAID_ORDERS = [
  ...['A-1001', 'A-1002', 'A-1003', 'A-1004', 'A-1005'],
  ...['A-2001', 'A-2002', 'A-2003', 'A-2004', 'A-2005', 'A-2006'],
];

/** An order whose capture has no answer. */
const UNKNOWN_CAPTURE = 'A-3001-fault:capture.error_before';

/**
 * A shell for the blocks of docs/cli.md, which run one after another in a separate folder, with `turnpike` on the
 * PATH, beside a sandbox whose shop has the paid orders `PAID_ORDERS` and a capture of unknown outcome, and a receiver of webhooks at
 * `http://localhost:3000`. A comment `# exits 4` states the exit code of the block's last command. A `turnpike … &`
 * is ended with its block, after its first result.
 */
export function documentedShell() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-docs-cli-'));
  let stop: (() => Promise<void>) | undefined;
  let address = '';
  let receiver = '';

  beforeAll(async () => {
    const dataDir = join(folder, 'data');
    const env = { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0', TURNPIKE_API_KEY: apiKey };
    const stack = await startStack({ env, root, relayEntry: 'relay/main.ts', dataDir, errors: process.stderr });
    const shop = await serve((_req, res) => res.writeHead(204).end());
    const host = fork(join(import.meta.dirname, 'cli-host.ts'), { cwd: folder });
    stop = async () => {
      host.disconnect();
      await stack.stop();
      await shop.close();
    };
    address = stack.urls.relay;
    receiver = shop.url;
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'turnpike'), command(await portOf(host)));
    chmodSync(join(bin, 'turnpike'), 0o755);
    writeFileSync(join(folder, 'server.key'), `${apiKey}\n`);
    copyFileSync(join(dataDir, 'relay.json'), join(folder, 'relay.json'));
    const client = createClient({ url: address, apiKey });
    for (const order_no of [...PAID_ORDERS, UNKNOWN_CAPTURE]) {
      const order = { order_no, currency: 'BRL', amount: '129.90', first_name: 'Ada', last_name: 'Byron' };
      const paid = await client.payments.create({ ...order, ...card });
      expect(paid.status, order_no).toBe('approved');
    }
    await expect(client.orders.capture(UNKNOWN_CAPTURE, {})).rejects.toMatchObject({ name: 'OutcomeUnknown' });
  }, 120_000);

  afterAll(async () => stop?.());

  return {
    folder,
    /**
     * Runs a block with bash; the sandbox's address replaces the page's. Fails if its exit code differs from the
     * stated one.
     */
    async run(code: string): Promise<string> {
      const PATH = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
      const { NODE_COMPILE_CACHE } = process.env;
      const own = { PATH, HOME: folder, TURNPIKE_URL: address, TURNPIKE_API_KEY: apiKey };
      const env = { ...own, NODE_COMPILE_CACHE, ...secrets };
      const script = code.replaceAll('http://127.0.0.1:8080', address).replaceAll('http://localhost:3000', receiver);
      const { exitCode, output } = await bash(withBackground(script), folder, env);
      expect(exitCode, output).toBe(Number(/# exits (\d)/.exec(code)?.[1] ?? 0));
      return output;
    },
  };
}

const listening = z.object({ port: z.number() });

async function portOf(host: ChildProcess): Promise<number> {
  const [address] = await once(host, 'message');
  return listening.parse(address).port;
}

/**
 * The program `turnpike`: makes the host that listens at the port run the command, which takes a third of the time of
 * a new process. Commands that print while they run and end by a signal get a separate process.
 */
function command(port: number): string {
  return `#!/bin/bash
if [[ $1 == listen ]]; then exec "${process.execPath}" "${root}/cli/main.ts" "$@"; fi
exec 3<>/dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' $# "$@"; env -0; printf '\\0'; } >&3
for part in code out err; do IFS= read -r -d '' $part <&3; done
printf %s "$err" >&2
printf %s "$out"
exit "$code"
`;
}

/**
 * A script whose `turnpike … &` run through `background`, which continues once the command has printed something, and
 * ends each after its first line of results.
 */
function withBackground(script: string): string {
  const commands = /^(turnpike (?:.*\\\n)*.*) &$/gm;
  return commands.test(script) ? `${BACKGROUND}${script.replace(commands, 'background $1')}\nend_background\n` : script;
}

const BACKGROUND = `
pids=() results=()
pipes=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
background() {
  local at=\${#pids[@]} out err line
  mkfifo "$pipes/out.$at" "$pipes/err.$at"
  "$@" >"$pipes/out.$at" 2>"$pipes/err.$at" &
  pids+=($!)
  exec {out}<"$pipes/out.$at" {err}<"$pipes/err.$at"
  results+=("$out")
  read -r line <&"$err"
  echo "$line"
  cat <&"$err" &
}
end_background() {
  local at line
  for at in "\${!pids[@]}"; do
    read -r line <&"\${results[at]}"
    echo "$line"
    cat <&"\${results[at]}" &
    kill -TERM "\${pids[at]}"
    wait "\${pids[at]}"
  done
}
`;

function bash(code: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ exitCode: number | null; output: string }> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', code], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (data) => (output += String(data)));
  return new Promise((done, fail) => {
    shell.once('error', fail);
    shell.once('close', (exitCode) => done({ exitCode, output }));
  });
}
