import { describe, expect, it } from 'vitest';
import { shopCode, shopWithPackage } from '../../support/docs/packed-client.ts';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';

let made: ReturnType<typeof shopWithPackage> | undefined;

/** All tests share one shop, which takes long to create. */
function shop() {
  made ??= shopWithPackage();
  return made;
}

describe('a shop that installs the package', () => {
  it('runs the client as plain JavaScript', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { write, run } = await shop();
    write('shop.js', shopCode.replace(', type SessionAnswer', '').replace(': SessionAnswer', ''));
    const ran = await run('shop.js', { RELAY: relay.url, KEY: apiKey });
    expect(ran).toEqual({ ok: true, output: 'open 12.50\nnot_found\n', errors: '' });
  });
});

describe('a shop that tests its checkout', () => {
  it('runs the test kit as plain JavaScript without Playwright', async () => {
    const { write, run } = await shop();
    write('kit.js', "import { testCards } from 'turnpike/testing';\nconsole.log(testCards.declined.number);\n");
    expect(await run('kit.js', {})).toEqual({ ok: true, output: '4000000000000002\n', errors: '' });
  });
});
