import { formatDate } from '../../shared/gateway/dates.ts';
import type { DirectPaymentRequest } from '../../shared/gateway/direct-payment.ts';
import { operations } from '../../shared/gateway/operations.ts';
import { maskCard } from './card-number.ts';
import { utc } from './dates.ts';
import { type Answer, type Handler, handler } from './handler.ts';
import { type Random, recurringId, transactionId } from './ids.ts';
import { orderOf, type Payment, type Payments } from './payments.ts';
import { InvalidInput } from './refusals.ts';
import { type Behaviour, behaviourOf } from './test-cards.ts';

type Surroundings = { payments: Payments; now: () => Date; random: Random; lateMs: number };

/** The sandbox has no vault: behind every token it sees the same approving card. */
const CARD_OF_TOKENS = '4111111111111111';

/** §2.1 → §2.2: charges or declines a card as the table of test cards says. */
export function directPayment({ payments, now, random, lateMs }: Surroundings): Handler {
  return handler(operations.direct_payment.request, (request) => {
    const card = cardOf(request);
    const behaviour = behaviourOf(card);
    const payment = book(request, behaviour, { now, random });
    payments.add(payment);
    return answerAs(behaviour, answerFields(payment, behaviour, card), lateMs);
  });
}

function cardOf(request: DirectPaymentRequest): string {
  if (request.card) return request.card;
  if (request.token_id) return CARD_OF_TOKENS;
  throw new InvalidInput('card or token_id is needed');
}

function book(
  request: DirectPaymentRequest,
  behaviour: Behaviour,
  { now, random }: Pick<Surroundings, 'now' | 'random'>,
): Payment {
  const declined = behaviour.does === 'decline';
  return {
    transaction_id: transactionId(random),
    merchant_id: request.merchant_id,
    account_id: request.account_id,
    at: now(),
    order: orderOf(request),
    state: declined ? { status: 'declined', reason: behaviour.message } : { status: 'approved' },
    ...(request.subscription && {
      contract: {
        contract_name: request.subscription.contract_name ?? '',
        recurring_id: declined ? '' : recurringId(random),
        period: request.subscription.interval ?? '',
      },
    }),
  };
}

function answerFields(payment: Payment, behaviour: Behaviour, card: string): Record<string, string> {
  const { contract } = payment;
  const declined = behaviour.does === 'decline';
  return {
    merchant_id: payment.merchant_id,
    account_id: payment.account_id,
    order_no: payment.order.order_no,
    amount: payment.order.amount,
    currency: payment.order.currency,
    transaction_id: payment.transaction_id,
    card: maskCard(card),
    order_status: declined ? '0' : '1',
    result_info: declined ? `${behaviour.code}:${behaviour.message}` : '0000:Success',
    contract_name: contract?.contract_name ?? '',
    recurring_id: contract?.recurring_id ?? '',
    recurring_deduction_period: contract?.period ?? '',
    recurring_deduction_time: contract?.recurring_id ? formatDate('YYYY-MM-DD HH:MM:SS', utc(payment.at)) : '',
    note: '',
    connector: 'sandbox',
  };
}

function answerAs(behaviour: Behaviour, fields: Record<string, string>, lateMs: number): Answer {
  switch (behaviour.does) {
    case 'approve':
    case 'decline':
      return { kind: 'now', fields };
    case 'approve_late':
      return { kind: 'late', fields, ms: lateMs };
    case 'approve_silently':
      return { kind: 'never' };
  }
}
