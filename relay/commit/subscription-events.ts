import type { WebhookData } from '../../shared/api/webhook.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { type Histories, historyIn } from '../payments/ledger/payment-operation.ts';
import type { StoredOrder } from '../payments/order.ts';
import type { ContractEvent } from '../payments/transitions.ts';
import type { NewEvent } from '../store/facets/outbox.ts';
import { newEvent } from './new-event.ts';
import { paymentAnswer } from './payment-answer.ts';

/**
 * The webhooks of later charges of contracts, to be written with the order that such a charge pays, or whose payment began the contract of
 * a failed one.
 * @param histories the operations on the order's payments; in most cases there are none yet
 */
export function subscriptionEvents(
  context: Context,
  order: StoredOrder,
  events: readonly ContractEvent[],
  histories?: Histories,
): NewEvent[] {
  return events.flatMap(({ type, subject, ...event }) => {
    const about = { account: order.account, id: subject };
    if (type === 'subscription.charge_failed') return newEvent(context, about, type, failedCharge(event));
    const payment = order.payments.find(({ transaction_id }) => transaction_id === event.charge.transaction_id);
    if (!payment) return [];
    const history = historyIn(histories, payment.transaction_id);
    const answer = paymentAnswer(order, payment, history, rulesOf(context.config));
    const data: WebhookData['subscription.charged'] = { ...aboutContract(event), payment: answer };
    return newEvent(context, about, type, data);
  });
}

type ChargeFacts = Omit<ContractEvent, 'type' | 'subject'>;

function failedCharge({ charge, ...event }: ChargeFacts): WebhookData['subscription.charge_failed'] {
  const { transaction_id, amount, currency, date, failed = { code: '', message: '' } } = charge;
  return { ...aboutContract({ charge, ...event }), transaction_id, amount, currency, date, result: failed };
}

function aboutContract({ charge: { recurring_id, order_no }, contract_name, failures }: ChargeFacts) {
  return { recurring_id, ...(contract_name === undefined ? {} : { contract_name }), order_no, failures };
}
