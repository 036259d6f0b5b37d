import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { createVerifier } from '../../../webhooks/index.ts';
import { account, apiKey, shopOrigin } from '../relays/relay.ts';
import { until } from '../time/until.ts';
import { bodyOf, type ServerResponse, serve } from './http-server.ts';

export const webhookSecret = `whsec_${Buffer.from('a webhook secret of the tests').toString('base64')}`;

/**
 * A webhook with a signature that the Standard Webhooks library accepts, and a body that the package for shops knows.
 */
export type ReceivedWebhook = {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
  headers: Record<string, string>;
  raw: string;
};

/** A shop's receiver on a real port, for one test. `respond` answers each webhook; the default accepts each. */
export async function startReceiver(
  respond: (webhook: ReceivedWebhook, res: ServerResponse) => void = (_webhook, res) => res.end(),
) {
  const webhook = new Webhook(webhookSecret);
  const verify = createVerifier({ secrets: webhookSecret });
  const received: ReceivedWebhook[] = [];
  const wrong: string[] = [];
  const server = await serve(async (req, res) => {
    const raw = await bodyOf(req);
    const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
    try {
      webhook.verify(raw, headers);
      const { known, type, data } = await verify(raw, headers);
      // Events that tests put into the outbox themselves have no subject.
      const isReal = 'id' in data || 'kind' in data;
      if (isReal && !known) throw new Error(`the package does not know this ${type}: ${raw}`);
    } catch (error) {
      wrong.push(String(error));
      res.writeHead(401).end();
      return;
    }
    const one: ReceivedWebhook = { ...JSON.parse(raw), id: String(headers['webhook-id']), headers, raw };
    received.push(one);
    respond(one, res);
  });
  onTestFinished(server.close);
  return {
    url: `${server.url}/webhooks`,
    port: server.port,
    received,
    /** The errors of unverified webhooks. */
    wrong,
    types: () => received.map(({ type }) => type),
    /** Waits for the webhook of a type and returns the first. */
    async one(type: string): Promise<ReceivedWebhook> {
      await until(`a webhook ${type}`, () => received.some((entry) => entry.type === type));
      const found = received.find((entry) => entry.type === type);
      if (!found) throw new Error(`no ${type}`);
      return found;
    },
  };
}

/** The tests' account with a receiver of its webhooks, as settings for `startTestRelay`. */
export function withReceiver(
  url: string,
  more: { secrets?: string[]; events?: string[]; allow_private?: boolean } = {},
) {
  return {
    webhooks: { allow_private: more.allow_private ?? true },
    accounts: [
      {
        id: 'demo',
        merchant_id: account.merchant_id,
        account_id: account.account_id,
        signing_secret: account.signingSecret,
        name: 'Demo Shop',
        allowed_origins: [shopOrigin],
        return_urls: [`${shopOrigin}/`],
        api_keys: [{ name: 'all', sha256: sha256(apiKey), scopes: ['*'] }],
        webhook: { url, secrets: more.secrets ?? [webhookSecret], events: more.events },
      },
    ],
  };
}
