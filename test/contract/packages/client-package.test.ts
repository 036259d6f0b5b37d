import { describe, expect, it, vi } from 'vitest';
import { resolutions, shopWithPackage } from '../../support/docs/packed-client.ts';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';

// Packing, and compilers that read whole libraries, take long on a machine that does other things beside.
vi.setConfig({ testTimeout: 120_000 });

const shopCode = `import { createClient, RelayRefused, type SessionAnswer } from 'turnpike/client';

const turnpike = createClient({ url: process.env.RELAY ?? '', apiKey: process.env.KEY ?? '' });
const { id } = await turnpike.sessions.create({ order: { order_no: 'P-1', currency: 'BRL', amount: '12.5' } });
const session: SessionAnswer = await turnpike.sessions.get(id);
console.log(session.status, session.amount);
try {
  await turnpike.sessions.get('cs_nothing');
} catch (error) {
  if (error instanceof RelayRefused) console.log(error.code);
}
`;
const withMistakes = `import { createClient } from 'turnpike/client';

const turnpike = createClient({ url: 'https://pay.example', apiKey: 'k' });
await turnpike.sessions.create({ order: { order_no: 'P-1', currency: 'BRL', amount: 12.5 } });
await turnpike.refund({ refund_orders: [{ transaction_id: 'T1', currency: 'BRL', amount: '1' }] });
await turnpike.query({ ordres: ['P-1'] });
(await turnpike.sessions.get('cs_1')).staus;
`;

const withKit = `import { checkoutOn, type Outcome, testCards } from 'turnpike/testing';
import type { Page } from 'playwright-core';

export async function pay(page: Page): Promise<Outcome> {
  const checkout = checkoutOn(page);
  await checkout.fill({ card: testCards.approved.number, expiry: '12/30' });
  await checkout.fill({ cardnumber: '' });
  const outcome = await checkout.pay();
  if (outcome.status === 'unknown') outcome.told.trim();
  return outcome;
}
`;

let made: ReturnType<typeof shopWithPackage> | undefined;

/** One shop for all: it takes long to make. */
function shop() {
  made ??= shopWithPackage();
  return made;
}

describe('a shop that installs the package', () => {
  it('gets the client with its types, and runs it as plain JavaScript', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { write, check, run } = await shop();

    write('shop.ts', shopCode);
    for (const [name, settings] of Object.entries(resolutions)) {
      expect(await check(...settings, '--types', 'node', 'shop.ts'), name).toMatchObject({ ok: true, output: '' });
    }

    write('shop.js', shopCode.replace(', type SessionAnswer', '').replace(': SessionAnswer', ''));
    const ran = await run('shop.js', { RELAY: relay.url, KEY: apiKey });
    expect(ran).toEqual({ ok: true, output: 'open 12.50\nnot_found\n', errors: '' });

    write('mistakes.ts', withMistakes);
    const { output } = await check(...resolutions.nodenext, '--types', 'node', 'mistakes.ts');
    const lines = [...output.matchAll(/^mistakes\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    expect(lines).toEqual([4, 5, 6, 7]);
  });
});

describe('a shop that tests its checkout', () => {
  it('has the kit’s types with those of Playwright, and runs it as plain JavaScript without', async () => {
    const { install, write, check, run } = await shop();
    write('kit.js', "import { testCards } from 'turnpike/testing';\nconsole.log(testCards.declined.number);\n");
    expect(await run('kit.js', {})).toEqual({ ok: true, output: '4000000000000002\n', errors: '' });

    install('playwright-core');
    write('kit.ts', withKit);
    const { output } = await check(...resolutions.nodenext, '--types', 'node', 'kit.ts');
    expect(
      [...output.matchAll(/^kit\.ts\((\d+),/gm)].map(([, line]) => Number(line)),
      output,
    ).toEqual([7, 9]);
  });
});
