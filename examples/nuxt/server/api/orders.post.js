import { randomBytes } from 'node:crypto';
import { createClient } from 'turnpike/client';

/** Opens the checkout of an order. Only what the page needs leaves the server. */
export default defineEventHandler(async (event) => {
  const {
    apiKey,
    public: { relayUrl },
  } = useRuntimeConfig(event);
  const order_no = `EX-${randomBytes(5).toString('hex').toUpperCase()}`;
  const items = [{ name: 'Serra Verde', code: 'TEA-SERRA-100', price: '65.00', quantity: 1 }];
  const { client_secret, checkout_url } = await createClient({ url: relayUrl, apiKey }).sessions.create({
    order: { order_no, currency: 'BRL', amount: '65.00', items },
  });
  return { client_secret, checkout_url };
});
