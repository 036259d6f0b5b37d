import { onTestFinished } from 'vitest';
import { createGateway } from '../../sandbox/gateway/gateway.ts';
import { serve } from '../support/http/http-server.ts';
import { account } from '../support/relays/relay.ts';

/** The sandbox's gateway, for the account of the tests' relays, until the test is over. */
export async function startSandbox() {
  const merchant = { ...account, signing_secret: account.signingSecret };
  const gateway = createGateway({ merchants: [merchant], publicUrl: () => server.url });
  const server = await serve(gateway.app);
  onTestFinished(server.close);
  return { gateway, url: server.url };
}
