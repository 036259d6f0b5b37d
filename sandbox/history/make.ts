import type { Client } from '../../client/index.ts';
import { testCards } from '../../shared/card-data/test-cards.ts';
import type { Portal } from './portal.ts';

export type Order = Record<'order_no' | 'currency' | 'amount' | 'first_name' | 'last_name' | 'shopper_email', string>;

/** The other places of a payment's life: the gateway's portal, the relay's form, and a day later. */
export type Elsewhere = { portal: Portal; relayUrl: string; later: (step: () => Promise<unknown>) => void };

/** How one kind of order is made; `amount` is its price. */
export type Make = (client: Client, order: Order, elsewhere: Elsewhere) => Promise<unknown>;

/** Fields that every card needs. */
export const expiry = { expiration_month: '12', expiration_year: '2040', security_code: '737' };

export const payBy =
  (number: string): Make =>
  (client, order) =>
    client.payments.create({ ...order, card: number, ...expiry });

export type Paid = { transaction_id: string; order_no: string; currency: string; amount: string };

/** An approved payment, with the actions after it. */
export const paidThen =
  (
    then: (client: Client, paid: Paid, elsewhere: Elsewhere) => Promise<unknown>,
    number: string = testCards.approved.number,
  ): Make =>
  async (client, order, elsewhere) => {
    const payment = await client.payments.create({ ...order, card: number, ...expiry });
    if (payment.status !== 'approved') return;
    const { order_no, currency, amount } = order;
    await then(client, { transaction_id: payment.transaction_id, order_no, currency, amount }, elsewhere);
  };

/** A share of an amount, in hundredths. */
export function shareOf(amount: string, hundredths: number): string {
  const cents = Math.floor((Number(amount.replace('.', '')) * hundredths) / 100);
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
