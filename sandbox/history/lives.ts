import { testCards } from '../../shared/card-data/test-cards.ts';
import type { PaymentActionName } from '../gateway/admin/payment-actions.ts';
import { METHOD_BY_HAND } from '../gateway/faults/test-cards.ts';
import { expiry, type Make, paidThen, shareOf } from './make.ts';
import { untilOrder } from './portal.ts';

/** An approved payment with an action of its bank, its card holder or the merchant in the portal a day later. */
export const inPortal = (...actions: PaymentActionName[]): Make =>
  paidThen(async (_client, { order_no }, { portal, later }) => {
    later(async () => {
      for (const action of actions) await portal(order_no, action);
    });
  });

type Share = number | 'rest';

/** An approved invoice that is captured in parts, one a day: each is a number of cents, or the rest. */
export const invoice =
  (...shares: Share[]): Make =>
  async (client, order, { portal, later }) => {
    const { order_no, amount } = order;
    await client.payments.create({ ...order, payment_method: METHOD_BY_HAND });
    await portal(order_no, 'approve');
    const capture = async ([share, ...others]: Share[]): Promise<void> => {
      if (share === undefined) return;
      await untilOrder(client, order_no, ({ payments }) => payments.length > 0);
      await client.orders.capture(order_no, share === 'rest' ? {} : { amount: shareOf(amount, share) });
      later(() => capture(others));
    };
    later(() => capture(shares));
  };

const boleto = { type: 'apm', payment_method: 'BOLETO', label: 'Boleto' } as const;

/** A voucher of a shopper, with an action a day later. */
export const voucher =
  (then?: PaymentActionName): Make =>
  async (client, order, { portal, later }) => {
    await client.payments.create({ ...order, payment_method: boleto.payment_method });
    await portal(order.order_no, 'pay_later');
    if (then) later(() => portal(order.order_no, then));
  };

/** A voucher that is abandoned in the form for a card, and paid nevertheless a day later. */
export const paidTwice: Make = async (client, order, { portal, relayUrl, later }) => {
  const { order_no, currency, amount, first_name, last_name } = order;
  const session = await client.sessions.create({
    order: { order_no, currency, amount },
    payment_methods: [{ type: 'card' }, boleto],
  });
  const form = formOf(relayUrl, session.client_secret);
  await form('pay', { payment_method: boleto.payment_method, first_name, last_name });
  await portal(order_no, 'pay_later');
  await untilOrder(client, order_no, ({ sessions }) => sessions.some(({ status }) => status === 'pending'));
  await form('abandon', {});
  await form('pay', { card: testCards.approved.number, ...expiry, first_name, last_name });
  later(() => portal(order_no, 'pay'));
};

/** Sends the requests of the form in a browser to the relay. */
const formOf =
  (relayUrl: string, secret: string) =>
  async (path: 'pay' | 'abandon', body: object): Promise<void> => {
    const { ok, status } = await fetch(`${relayUrl}/checkout/api/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', origin: relayUrl },
      body: JSON.stringify(body),
    });
    if (!ok) throw new TypeError(`/checkout/api/${path}: ${status}`);
  };
