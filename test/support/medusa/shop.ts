import { z } from 'zod';
import { soon } from '../time/until.ts';
import { admin, type Medusa, PROVIDER, run } from './server.ts';

const withId = z.looseObject({ id: z.string() });
const paymentSession = withId.extend({
  status: z.string(),
  data: z.looseObject({ id: z.string(), order_no: z.string(), client_secret: z.string() }),
});
const paymentCollection = withId.extend({ payment_sessions: z.array(paymentSession) });
const medusaPayment = withId.extend({
  amount: z.number(),
  captured_at: z.string().nullable(),
  canceled_at: z.string().nullable(),
  captures: z.array(z.looseObject({ amount: z.number() })),
  refunds: z.array(z.looseObject({ amount: z.number() })),
});
const medusaOrder = withId.extend({ status: z.string(), payment_status: z.string(), total: z.number() });

/** An answer of Medusa's API. */
export type Answered = { status: number; body: Record<string, unknown> };

/** A shop in Medusa with one product: sends what a storefront and the admin send. */
export async function openShop({ url }: Medusa) {
  const send = async (method: string, path: string, headers: object, body?: object): Promise<Answered> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: z.record(z.string(), z.unknown()).parse(await response.json()) };
  };
  const must = async (sent: Promise<Answered>): Promise<Record<string, unknown>> => {
    const { status, body } = await sent;
    if (status >= 300) throw new Error(`Medusa answers ${status}: ${JSON.stringify(body)}`);
    return body;
  };

  const { token } = await must(send('POST', '/auth/user/emailpass', {}, admin));
  const asAdmin = { authorization: `Bearer ${token}` };
  const adminApi = (method: string, path: string, body?: object) => send(method, `/admin${path}`, asAdmin, body);
  const create = async (path: string, name: string, body: object) =>
    withId.loose().parse((await must(adminApi('POST', path, body)))[name]);

  const channel = await create('/sales-channels', 'sales_channel', { name: 'Shop' });
  const key = await create('/api-keys', 'api_key', { title: 'Storefront', type: 'publishable' });
  await must(adminApi('POST', `/api-keys/${key.id}/sales-channels`, { add: [channel.id] }));
  const publishable = { 'x-publishable-api-key': String(key.token) };
  const region = await create('/regions', 'region', {
    name: 'Brazil',
    currency_code: 'brl',
    countries: ['br'],
    payment_providers: [PROVIDER],
  });
  const product = z.looseObject({ variants: z.array(withId) }).parse(
    await create('/products', 'product', {
      title: 'Green tea',
      status: 'published',
      options: [{ title: 'Size', values: ['Tin'] }],
      sales_channels: [{ id: channel.id }],
      variants: [
        {
          ...{ title: 'Tin', options: { Size: 'Tin' }, manage_inventory: false },
          prices: [{ currency_code: 'brl', amount: 64.95 }],
        },
      ],
    }),
  );
  const store = (method: string, path: string, body?: object) => send(method, `/store${path}`, publishable, body);

  const paymentOf = async (orderId: string) => {
    const fields =
      'fields=*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds';
    const { order } = await must(adminApi('GET', `/orders/${orderId}?${fields}`));
    const collections = z.array(z.looseObject({ payments: z.array(medusaPayment) }));
    return z.looseObject({ payment_collections: collections }).parse(order).payment_collections[0]?.payments[0];
  };

  return {
    admin: adminApi,
    /** Runs the storefront program of the docs, and returns what it prints. */
    async storefront(folder: string, does: 'begin' | 'approved' | 'pending', cartId: string): Promise<unknown> {
      const env = { ...process.env, MEDUSA_URL: url, PUBLISHABLE_KEY: String(key.token) };
      return JSON.parse(await run(folder, process.execPath, ['storefront.mjs', does, cartId], env));
    },
    /** A cart of two tins, 129.90 BRL. */
    async cart(): Promise<string> {
      const items = [{ variant_id: product.variants[0]?.id, quantity: 2 }];
      const body = { region_id: region.id, email: 'ada@shop.example', items };
      return withId.parse((await must(store('POST', '/carts', body))).cart).id;
    },
    /** Begins the payment of a cart. */
    async pay(cartId: string) {
      const { payment_collection } = await must(store('POST', '/payment-collections', { cart_id: cartId }));
      const { id } = withId.parse(payment_collection);
      const body = { provider_id: PROVIDER };
      const begun = await must(store('POST', `/payment-collections/${id}/payment-sessions`, body));
      const [session] = paymentCollection.parse(begun.payment_collection).payment_sessions;
      if (!session) throw new Error('Medusa created no payment session');
      return session;
    },
    /** Completes a cart: an answer of the type `order`, or of the type `cart` with an error. */
    complete: (cartId: string) => store('POST', `/carts/${cartId}/complete`, {}),
    /** Waits until Medusa has an order of this payment session. */
    orderOf(sessionId: string) {
      return soon(`an order of ${sessionId}`, async () => {
        const { orders } = await must(
          adminApi('GET', '/orders?fields=*payment_collections.payment_sessions&limit=100'),
        );
        const sessions = z.array(z.looseObject({ payment_sessions: z.array(withId) }));
        const found = z
          .array(withId.extend({ payment_collections: sessions }))
          .parse(orders)
          .find(({ payment_collections: [collection] }) =>
            collection?.payment_sessions.some(({ id }) => id === sessionId),
          );
        return found?.id;
      });
    },
    async order(id: string) {
      return medusaOrder.parse((await must(adminApi('GET', `/orders/${id}`))).order);
    },
    /** The payment of an order. Throws if it has none. */
    async payment(orderId: string) {
      const payment = await paymentOf(orderId);
      if (!payment) throw new Error(`order ${orderId} has no payment`);
      return payment;
    },
    hasPayment: async (orderId: string) => (await paymentOf(orderId)) !== undefined,
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
