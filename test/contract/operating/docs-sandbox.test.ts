import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { type Stack, startStack } from '../../../sandbox/stack.ts';
import { orderStatuses } from '../../../shared/api/order.ts';
import { blockWith, pageText, runBlocks } from '../../support/docs/doc-blocks.ts';
import { checkShell } from '../../support/docs/doc-shell.ts';

const path = 'docs/sandbox.md';
let stack: Stack;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'turnpike-recipes-'));
  stack = await startStack({
    env: { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0' },
    root: join(import.meta.dirname, '../../..'),
    relayEntry: 'relay/main.ts',
    dataDir,
    errors: process.stderr,
  });
});
afterAll(async () => {
  await stack.stop();
  await rm(dataDir, { recursive: true });
});

const client = () => createClient({ url: stack.urls.relay, apiKey: stack.apiKey });

/** Runs commands after the functions of the page, and returns what they print. */
async function bash(commands: string): Promise<string> {
  const { relay, gateway } = stack.urls;
  const functions = blockWith(path, 'sh', 'portal()').replace('http://127.0.0.1:8081', gateway);
  const env = { ...process.env, TURNPIKE_URL: relay, TURNPIKE_API_KEY: stack.apiKey };
  const { stdout } = await promisify(execFile)('bash', ['-c', `${functions}\n${commands}`], { env });
  return stdout;
}

const rows = [...pageText(path).matchAll(/^\| `(\w+)`(?:, with `(\w+)`| \(([^)]+)\))? \| `(.+)` \|$/gm)].map(
  ([, status = '', flag = '', how = '', commands = '']) => ({
    ...{ status, flag, commands, title: how === '' ? status : `${status}: ${how}` },
    order_no: /R-\d+[\w.:-]*/.exec(commands)?.[0] ?? '',
  }),
);

it.each(rows)('$title', async ({ status, flag, commands, order_no }) => {
  await bash(commands);
  await fetch(`${stack.urls.gateway}/admin/faults`, { method: 'DELETE' });
  const look = async () => {
    const order = await client().orders.get(order_no);
    const flagged = { needs_attention: order.needs_attention, refund_undecided: order.refund_undecided !== '0.00' };
    return { status: order.status, ...flagged };
  };
  await expect
    .poll(look)
    .toEqual({ status, needs_attention: flag === 'needs_attention', refund_undecided: flag === 'refund_undecided' });
});

runBlocks(path, [
  { language: 'sh', says: 'turnpike sandbox', run: checkShell },
  { language: 'sh', says: 'portal()', run: () => expect(rows.length).toBeGreaterThan(20) },
  {
    language: 'sh',
    says: 'form abandon',
    async run(code) {
      await bash(code);
      await expect.poll(async () => (await client().orders.get('R-30')).status).toBe('paid_twice');
    },
  },
]);

it('has every status of an order', () => {
  expect(new Set([...rows.map(({ status }) => status), 'paid_twice'])).toEqual(new Set(orderStatuses));
});
