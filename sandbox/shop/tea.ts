import { z } from 'zod';
import { type CreateSession, localeTag } from '../../shared/checkout/session.ts';
import { positiveShopAmount } from '../../shared/gateway/amount-fields.ts';
import { withDecimals } from '../../shared/gateway/amounts.ts';

export const tea = {
  name: 'Serra Verde',
  code: 'TEA-SERRA-100',
  description: 'Loose-leaf green tea, 100 g tin',
  currency: 'BRL',
  price: '64.95',
  quantity: 2,
  total: '129.90',
} as const;

/** The item of the visitor's order: two tins, or one at the price in the page's address. */
export function lineOf({ amount }: Pick<Options, 'amount'>) {
  const { name, code } = tea;
  return amount === undefined
    ? { name, code, price: tea.price, quantity: tea.quantity, total: tea.total }
    : { name, code, price: amount, quantity: 1, total: amount };
}

/**
 * The terms of the tea club, which a visitor joins in place of a single purchase. The interval has the sandbox's name.
 */
export const club = { contract_name: 'Tea club', interval: 'month', interval_count: '1', billing_cycle: 12 } as const;

/** The body of `POST /v1/sessions` for one visitor. */
export function sessionFor(options: Options, order_no: string, return_url: string): CreateSession {
  const { name, code, price, quantity, total } = lineOf(options);
  const subscribes = options.subscription !== undefined;
  return {
    order: {
      order_no,
      currency: tea.currency,
      amount: total,
      item_total: total,
      items: [{ name, code, price, quantity }],
      cart_items: [
        {
          basic_item_data: {
            name,
            quantity: String(quantity),
            type: 'physical',
            price: { amount_local_currency: Number(price), currency: tea.currency },
            category: 'tea',
            productId: code,
          },
        },
      ],
      platform_source: 'sandbox-shop',
      shopper_email: 'ada@example.com',
      delivery_country: 'BR',
      delivery_city: 'São Paulo',
      ...(subscribes && { subscription: { ...club, contract_amount: total } }),
    },
    payment_methods: [
      { type: 'card', brands: ['visa', 'mastercard', 'amex', 'elo'] },
      // Only a direct payment carries a subscription (§2.1).
      ...(options.methods === 'card' || subscribes
        ? []
        : [{ type: 'apm', payment_method: 'PIX', label: 'Pix', icon: pixIcon } as const]),
    ],
    return_url,
    locale: options.locale,
  };
}

/** A logo of Pix, as a shop sends it with the method: `icon` is a data: URL. */
export const pixIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='%2332bcad'%3E%3Cpath d='M5.3 8.3 12 1.6l6.7 6.7h-1.4c-.9 0-1.7.3-2.3.9l-3 3-3-3c-.6-.6-1.4-.9-2.3-.9zm0 7.4 6.7 6.7 6.7-6.7h-1.4c-.9 0-1.7-.3-2.3-.9l-3-3-3 3c-.6.6-1.4.9-2.3.9zM4 9.6 1.6 12 4 14.4h2.7c.5 0 .9-.2 1.3-.5l2-1.9-2-1.9c-.4-.3-.8-.5-1.3-.5zm16 0 2.4 2.4-2.4 2.4h-2.7c-.5 0-.9-.2-1.3-.5L14.1 12l1.9-1.9c.4-.3.8-.5 1.3-.5z'/%3E%3C/svg%3E";

const query = z.object({
  locale: localeTag.optional().catch(undefined),
  theme: z.enum(['light', 'dark', 'auto']).catch('auto'),
  amount: positiveShopAmount
    .transform((amount) => withDecimals(amount, 2))
    .optional()
    .catch(undefined),
  methods: z.literal('card').optional().catch(undefined),
  subscription: z.literal('month').optional().catch(undefined),
});

/** The visitor's options for the shop. */
export type Options = Omit<z.infer<typeof query>, 'locale'> & { locale: string };

/** Reads the page's query; an invalid value counts as missing. `languages` are the browser's, best first. */
export function readOptions(given: unknown, languages: readonly string[]): Options {
  const options = query.parse(given);
  const spoken = languages.find((language) => localeTag.safeParse(language).success);
  return { ...options, locale: options.locale ?? spoken ?? 'en' };
}
