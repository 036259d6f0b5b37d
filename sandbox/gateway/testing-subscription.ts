import { cardPayment, elements, startGateway } from './testing.ts';

export const DAY = 86_400_000;
const start = new Date('2026-11-21T10:00:00Z');

/** A gateway at a fixed time with one subscription of the order S-1, begun by a payment of BRL 10.00. */
export async function withSubscription(terms = {}, fields = {}) {
  const gateway = await startGateway({ now: () => start });
  const subscription = { contract_name: 'Tea club', interval: 'day', contract_amount: '50.00', ...terms };
  const payment = cardPayment({ order_no: 'S-1', amount: '10.00', subscription, ...fields });
  const { recurring_id = '' } = await elements(await gateway.authorise(payment));
  const charges = () =>
    gateway.payments.list().map(({ order, at }) => [order.order_no, order.amount, at.toISOString()]);
  const numbers = () => gateway.payments.list().map(({ order }) => order.order_no);
  const unsubscribe = (more = {}) => gateway.ask('subscription_cancel', { recurring_id, ...more });
  const recurringStatus = async () => {
    const { orders_list } = await gateway.query({ orders: 'S-1' });
    return orders_list[0]?.subscription_result?.recurring_status;
  };
  return { ...gateway, recurring_id, charges, numbers, unsubscribe, recurringStatus };
}
