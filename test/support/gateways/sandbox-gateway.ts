import { onTestFinished } from 'vitest';
import { createGateway, type Gateway, type GatewayOptions } from '../../../sandbox/gateway/gateway.ts';
import { serve } from '../http/http-server.ts';
import { account } from '../relays/relay.ts';

/** The sandbox's gateway for one test, with the tests' account as its merchant unless others are given. */
export async function sandboxGateway(options: Partial<GatewayOptions> = {}): Promise<Gateway & { url: string }> {
  const { merchant_id, account_id, signingSecret } = account;
  const merchants = [{ merchant_id, account_id, signing_secret: signingSecret }];
  const gateway = createGateway({ merchants, publicUrl: () => server.url, ...options });
  const server = await serve(gateway.app);
  onTestFinished(server.close);
  return { ...gateway, url: server.url };
}
