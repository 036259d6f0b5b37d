import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startStack } from '../../../sandbox/stack.ts';
import { blocksOf, blockWith } from '../../support/docs/doc-blocks.ts';
import { checkShell } from '../../support/docs/doc-shell.ts';
import { declarationsToo, resolutions, shopWithPackage } from '../../support/docs/packed-client.ts';
import { freePort } from '../../support/http/free-port.ts';

const page = 'docs/first-order.md';
const program = blockWith(page, 'ts', 'createServer');

it('the page has commands that exist, and the package’s file', async () => {
  const { packed } = await shopWithPackage();
  const shells = blocksOf(page).filter(({ language }) => language === 'sh');
  expect(shells).toHaveLength(2);
  for (const { code } of shells) checkShell(code);
  expect(shells[1]?.code).toContain(`/dist/${packed.name}\n`);
});

it('the program pays, delivers, refunds and reconciles as the page says', async () => {
  const shop = await shopWithPackage();
  shop.write('shop.ts', program);
  const types = ['--types', 'node', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const checked = await shop.check(...resolutions.nodenext, ...declarationsToo, ...types, 'shop.ts');
  expect(checked).toMatchObject({ ok: true, output: '' });

  const port = String(await freePort());
  const stack = await startStack({
    root: join(import.meta.dirname, '../../..'),
    relayEntry: 'relay/main.ts',
    dataDir: mkdtempSync(join(tmpdir(), 'turnpike-first-order-')),
    errors: process.stderr,
    env: {
      ...process.env,
      ...{ PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0' },
      SHOP_WEBHOOK_URL: `http://127.0.0.1:${port}/webhooks`,
    },
  });
  onTestFinished(() => stack.stop());
  const { output, errors, ok } = await shop.run('shop.ts', {
    PORT: port,
    TURNPIKE_URL: stack.urls.relay,
    TURNPIKE_API_KEY: stack.apiKey,
    TURNPIKE_WEBHOOK_SECRET: stack.webhooks.secret,
  });
  expect({ ok, errors }).toEqual({ ok: true, errors: '' });
  // Webhooks can arrive before or after the answer to the request that causes them.
  const lines = (text: string) => text.trim().split('\n');
  const steps = (text: string) => lines(text).filter((line) => !line.startsWith('webhook'));
  const printed = blockWith(page, 'text', 'payment approved');
  expect(steps(output)).toEqual(steps(printed));
  expect(lines(output)).toEqual(expect.arrayContaining(lines(printed)));
});
