import { relayProfile } from '../../../sandbox/relay-config.ts';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { startReceiver, webhookSecret } from '../http/receiver.ts';
import { giveUp, refuse } from '../relays/given-up.ts';
import { apiKey } from '../relays/relay.ts';
import { person } from './approvals.ts';
import { type ConsoleStack, startConsoleStack, subscribe } from './console-stack.ts';

/** The orders of a day, by their task. */
export const orderNos = {
  webhook: 'HOOK-10',
  part: 'PART-1001',
  capture: 'CAPT-20',
  held: 'HELD-30',
  cancel: 'CANC-40',
  first: 'PAIR-51',
  second: 'PAIR-52',
  declined: 'DECL-60',
  unknown: 'GONE-fault:refund.reset',
  disputed: 'DISP-70',
  contract: 'CLUB-80',
  checkout: 'LINK-90',
  large: 'LARG-95',
  larger: 'MORE-96',
} as const;

/**
 * A console with a task of each kind, for Ada, and for Eve, who may refund at most 500.00. Amounts above 100.00 wait
 * for the approval of the other. The poller finds nothing by itself during the day.
 */
export async function startDay() {
  const shop = { isWorking: false };
  const receiver = await startReceiver((_webhook, res) => (shop.isWorking ? res.end() : refuse(res)));
  const stack = await startConsoleStack({
    config: { resolve: { first_ms: 600_000, max_ms: 600_000 } },
    profile: relayProfile,
    webhookUrl: 'none',
    account: { webhook: { url: receiver.url, secrets: [webhookSecret], events: ['session.approved'] } },
    console: {
      people: [person('Ada'), person('Eve', { limits: { refund: { BRL: '500.00' } } })],
      ...{ approval: true, confirm_above: { BRL: '100.00' } },
    },
  });
  stack.gateway.styles.current.payment_codes = 'each_state';
  await stack.pay(orderNos.webhook, '12.00');
  await giveUp(stack.relay.context.store, 1);
  shop.isWorking = true;
  await payAll(stack);
  return stack;
}

async function payAll(stack: ConsoleStack): Promise<void> {
  const { gateway, relay, pay } = stack;
  await pay(orderNos.part, '129.90', { shopper_email: 'mia@shopper.example' });
  await pay(orderNos.capture, '60.00', { card: testCards.authorised.number });
  await pay(orderNos.held, '45.00', { card: testCards.held.number });
  await pay(orderNos.cancel, '15.00');
  await pay(orderNos.first, '10.00');
  await pay(orderNos.second, '20.00');
  await pay(orderNos.declined, '17.00', { card: testCards.declined.number });
  await pay(orderNos.unknown, '29.90');
  await pay(orderNos.disputed, '33.00');
  await subscribe(stack, orderNos.contract);
  await relay.session({ order: { order_no: orderNos.checkout, amount: '70.00', currency: 'BRL' } });
  await pay(orderNos.large, '200.00');
  await pay(orderNos.larger, '900.00');
  const disputed = gateway.payments.list().find(({ order }) => order.order_no === orderNos.disputed);
  if (disputed?.state.status !== 'approved') throw new Error('the gateway has no such payment');
  gateway.payments.change(disputed, { state: { status: 'charged_back', before: disputed.state } });
  for (const orderNo of [orderNos.capture, orderNos.held, orderNos.disputed]) {
    await relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
  }
}
