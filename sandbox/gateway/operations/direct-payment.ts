import { formatDate } from '../../../shared/gateway/dates.ts';
import type { DirectPaymentRequest } from '../../../shared/gateway/direct-payment.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { isCardNumber, maskCard } from '../base/card-number.ts';
import { utc } from '../base/dates.ts';
import { type Random, recurringId, transactionId } from '../base/ids.ts';
import { InvalidInput, SandboxFault } from '../base/refusals.ts';
import type { Contracts } from '../books/contracts.ts';
import { orderOf } from '../books/order.ts';
import { orderStatus } from '../books/payment-status.ts';
import type { Payment, Payments } from '../books/payments.ts';
import { strikes } from '../faults/faults.ts';
import { type Behaviour, behaviourOf, expired, faultsOf } from '../faults/test-cards.ts';
import { isExpired } from './expiry.ts';
import { type Handler, handler } from './handler.ts';
import { termsOf } from './subscription-terms.ts';

type Surroundings = { payments: Payments; contracts: Contracts; now: () => Date; random: Random };

/** The sandbox has no vault: behind every token it sees the same approving card. */
const CARD_OF_TOKENS = '4111111111111111';

/** §2.1 → §2.2: authorises or declines a card as its expiry and the table of test cards say, and begins its subscription. */
export function directPayment({ payments, contracts, now, random }: Surroundings): Handler {
  return handler(operations.direct_payment.request, (request) => {
    const card = cardOf(request);
    const behaviour = isCardNumber(card) && isExpired(request, now()) ? expired : behaviourOf(card);
    if (behaviour.does === 'fail') throw new SandboxFault();
    const payment = paymentOf(request, behaviour, { now, random });
    if (payment.subscription) contracts.start(payment.subscription.contract, payment);
    payments.add(payment);
    const faults = faultsOf(behaviour).filter((fault) => strikes(fault, 'message', ['direct_payment']));
    return { fields: answerFields(request, payment, behaviour, card), faults };
  });
}

function cardOf(request: DirectPaymentRequest): string {
  if (request.card) return request.card;
  if (request.token_id) return CARD_OF_TOKENS;
  throw new InvalidInput('card or token_id is needed');
}

function paymentOf(
  request: DirectPaymentRequest,
  behaviour: Behaviour,
  { now, random }: Pick<Surroundings, 'now' | 'random'>,
): Payment {
  const { merchant_id, account_id, amount, notify_url } = request;
  const declined = behaviour.does === 'decline';
  const at = now();
  // Terms that cannot be read make the whole message invalid, declined or not.
  const terms = request.subscription && termsOf(request.subscription, amount, at);
  return {
    transaction_id: transactionId(random),
    merchant_id,
    account_id,
    at,
    order: orderOf(request),
    ...(notify_url && { notify_url }),
    faults: faultsOf(behaviour).filter((fault) => !strikes(fault, 'message', ['direct_payment'])),
    review: behaviour.does === 'approve_held' ? 'held' : 'not_held',
    state: declined ? { status: 'declined', reason: behaviour.message } : { status: 'approved' },
    ...(terms &&
      !declined && {
        subscription: {
          contract: {
            recurring_id: recurringId(random),
            contract_name: request.subscription?.contract_name ?? '',
            merchant_id,
            account_id,
            period_word: request.subscription?.interval ?? '',
            terms,
            status: 'active',
          },
          cycle: 1,
        },
      }),
  };
}

function answerFields(
  { subscription }: DirectPaymentRequest,
  payment: Payment,
  behaviour: Behaviour,
  card: string,
): Record<string, string> {
  const contract = payment.subscription?.contract;
  return {
    merchant_id: payment.merchant_id,
    account_id: payment.account_id,
    order_no: payment.order.order_no,
    amount: payment.order.amount,
    currency: payment.order.currency,
    transaction_id: payment.transaction_id,
    card: maskCard(card),
    order_status: orderStatus(payment),
    result_info: behaviour.does === 'decline' ? `${behaviour.code}:${behaviour.message}` : '0000:Success',
    contract_name: subscription?.contract_name ?? '',
    recurring_id: contract?.recurring_id ?? '',
    recurring_deduction_period: subscription?.interval ?? '',
    recurring_deduction_time: contract ? formatDate('YYYY-MM-DD HH:MM:SS', utc(payment.at)) : '',
    note: '',
    connector: 'sandbox',
  };
}
