import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { sha256 } from '../../../relay/base/keys.ts';
import { relayProfile } from '../../../sandbox/relay-config.ts';
import { checkoutOn, testCards } from '../../../testing/index.ts';
import { sharedChromium } from '../browsers/chromium.ts';
import { blockWith } from '../docs/doc-blocks.ts';
import { serve } from '../http/http-server.ts';
import { apiKey } from '../relays/relay.ts';
import { openPage, startStack } from '../relays/stack.ts';
import { type Medusa, medusaKey, medusaScopes, page, webhookSecret } from './server.ts';
import type { Shop } from './shop.ts';

type Card = keyof typeof testCards;

/** How the gateway captures cards, by the relay's profile: at once, or by a capture message. */
export type Capture = 'automatic' | 'manual';

/** The storefront's page in the docs. */
const html = blockWith(page, 'html', '<turnpike-checkout');

/** The account's webhook in the docs. */
const { webhook } = z
  .object({ webhook: z.looseObject({ url: z.url() }) })
  .parse(JSON.parse(blockWith(page, 'json', '"webhook"')));

type Options = {
  capture: Capture;
  /** Further settings of the relay's queries. */
  resolve?: object;
  /** Whether the relay sends webhooks. */
  hasWebhook?: boolean;
};

/** A gateway and the relay at the address that Medusa has, for one test. */
export async function startRelayOf({ url }: Medusa, shop: Shop, port: number, options: Options) {
  const { capture, resolve, hasWebhook = true } = options;
  const storefront = await serve((request, response) => {
    const [, secret = ''] = /\?(.+)$/.exec(request.url ?? '') ?? [];
    response.setHeader('content-type', 'text/html');
    response.end(html.replace('https://pay.example', `http://127.0.0.1:${port}`).replace('CLIENT_SECRET', secret));
  });
  const stack = await startStack({
    profile: { ...relayProfile, capture: { card: capture } },
    account: {
      allowed_origins: [storefront.url],
      return_urls: [`${storefront.url}/`],
      api_keys: [
        { name: 'shop', sha256: sha256(apiKey), scopes: ['*'] },
        { name: 'medusa', sha256: sha256(medusaKey), scopes: medusaScopes },
      ],
      ...(hasWebhook
        ? { webhook: { ...webhook, url: `${url}${new URL(webhook.url).pathname}`, secrets: [webhookSecret] } }
        : {}),
    },
    config: {
      listen: { port },
      public_url: `http://127.0.0.1:${port}`,
      webhooks: { allow_private: true },
      resolve: { first_ms: 100, max_ms: 500, confirm_ms: 1000, ...resolve },
    },
  });
  onTestFinished(storefront.close);
  const { relay } = stack;

  /** The payment of an order, as the relay has it now. */
  const payment = async (orderNo: string): Promise<Record<string, unknown> | undefined> => {
    const { body } = await relay.get(`/v1/payments?order_no=${orderNo}`, apiKey);
    return Array.isArray(body.payments) ? body.payments[0] : undefined;
  };

  /** Pays a session in the storefront's page with a test card. */
  const payWith = async (secret: string, card: Card = 'approved') => {
    const { page: shown } = await openPage(await sharedChromium());
    await shown.goto(`${storefront.url}/?${secret}`);
    const checkout = checkoutOn(shown);
    await checkout.fill({ card: testCards[card].number, expiry: '12/30', securityCode: '737', name: 'Ada King Byron' });
    const outcome = await checkout.pay();
    await shown.close();
    return outcome;
  };

  return {
    ...stack,
    payment,
    payWith,
    /** Pays a new cart in the storefront's page with a test card. Nothing completes the cart. */
    async payInPage(card?: Card) {
      const cart = await shop.cart();
      const session = await shop.pay(cart);
      return { cart, session, outcome: await payWith(session.data.client_secret, card) };
    },
  };
}
