import type { CreateSession } from '../../shared/checkout/session.ts';
import type { Options } from './options.ts';
import { pixIcon } from './pix-icon.ts';

export const tea = {
  name: 'Serra Verde',
  code: 'TEA-SERRA-100',
  description: 'Loose-leaf green tea, 100 g tin',
  currency: 'BRL',
  price: '64.95',
  quantity: 2,
  total: '129.90',
} as const;

/** What the visitor is asked to pay: two tins, or one of the price that the page's address names. */
export function lineOf({ amount }: Pick<Options, 'amount'>) {
  const { name, code } = tea;
  return amount === undefined
    ? { name, code, price: tea.price, quantity: tea.quantity, total: tea.total }
    : { name, code, price: amount, quantity: 1, total: amount };
}

/** The terms of the tea club, which a visitor joins instead of buying once. The interval's name is the sandbox's. */
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
