import { type DateForm, formatDate, parseDate } from '../../../shared/gateway/dates.ts';
import type { DirectPaymentRequest } from '../../../shared/gateway/direct-payment.ts';
import { decodeItems, ItemsError } from '../../../shared/gateway/items.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { type Interval, unitOf, utc } from '../base/clock.ts';
import { isCardNumber, maskCard, recurringId, transactionId, unguessable } from '../base/ids.ts';
import { InvalidInput, sandboxFault } from '../base/refusals.ts';
import type { Terms } from '../books/contract.ts';
import { orderOf, type Payment } from '../books/payments.ts';
import { orderStatus, type PaymentState } from '../books/states.ts';
import { appliesTo, type FaultName } from '../faults/faults.ts';
import { type Behaviour, behaviourOf, expired, METHOD_BY_HAND } from '../faults/test-cards.ts';
import { issuerAddress } from '../issuer/issuer.ts';
import { type Handler, handler, type Parts } from './handler.ts';

/** The sandbox has no vault: every token stands for the same approving card. */
const CARD_OF_TOKENS = '4111111111111111';

/**
 * §2.1 → §2.2: authorises or declines a card by its expiry and the table of test cards, and begins its subscription.
 */
export function directPayment(parts: Parts): Handler {
  const { payments, contracts } = parts.books;
  return handler(operations.direct_payment.request, (request) => {
    const card = cardOf(request);
    checkItems(request);
    const behaviour = isCardNumber(card) && isExpired(request, parts.clock.now()) ? expired : behaviourOf(card);
    if (behaviour.fault === 'error_before') throw sandboxFault();
    const payment = paymentOf(request, behaviour, parts);
    if (payment.subscription) contracts.start(payment.subscription.contract, payment);
    payments.add(payment);
    return { fields: answerFields(request, payment, behaviour, card), faults: faultsOf(behaviour).now };
  });
}

/** §2.1: the items of an order are one string of a fixed form. Throws InvalidInput for any other. */
function checkItems({ items }: Pick<DirectPaymentRequest, 'items'>): void {
  try {
    decodeItems(items ?? '');
  } catch (error) {
    if (!(error instanceof ItemsError)) throw error;
    throw new InvalidInput(`items: ${error.message}`);
  }
}

/** The fault of a card: in the answer to its payment, or later, at a refund or a notification. */
function faultsOf({ fault }: Behaviour): { now: FaultName[]; later: FaultName[] } {
  if (fault === undefined) return { now: [], later: [] };
  return appliesTo(fault, 'message', ['direct_payment']) ? { now: [fault], later: [] } : { now: [], later: [fault] };
}

function cardOf(request: DirectPaymentRequest): string {
  if (request.card) return request.card;
  if (request.token_id) return CARD_OF_TOKENS;
  throw new InvalidInput('card or token_id is needed');
}

function paymentOf(request: DirectPaymentRequest, behaviour: Behaviour, { clock, random }: Parts): Payment {
  const { merchant_id, account_id, amount, notify_url } = request;
  const { declined, held, byHand, renewalsFail } = behaviour;
  const at = clock.now();
  // Unreadable terms invalidate the whole message, declined or not.
  const terms = request.subscription && termsOf(request.subscription, amount, at);
  return {
    transaction_id: transactionId(random),
    merchant_id,
    account_id,
    at,
    order: orderOf(request),
    ...(notify_url && { notify_url }),
    faults: faultsOf(behaviour).later,
    review: held ? 'held' : 'not_held',
    state: stateOf(behaviour),
    ...(byHand && { byHand: {} }),
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
            ...(renewalsFail && { declines: true }),
          },
          cycle: 1,
        },
      }),
  };
}

function stateOf({ declined, pending }: Behaviour): PaymentState {
  if (declined) return { status: 'declined', reason: declined.message };
  return { status: pending ? 'pending' : 'approved' };
}

function answerFields(
  { subscription }: DirectPaymentRequest,
  payment: Payment,
  { declined, pending }: Behaviour,
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
    result_info: declined ? `${declined.code}:${declined.message}` : pending ? '0001:Pending' : '0000:Success',
    contract_name: subscription?.contract_name ?? '',
    recurring_id: contract?.recurring_id ?? '',
    recurring_deduction_period: subscription?.interval ?? '',
    recurring_deduction_time: contract ? formatDate('YYYY-MM-DD HH:MM:SS', utc(payment.at)) : '',
    note: '',
    connector: 'sandbox',
  };
}

type Expiry = Pick<DirectPaymentRequest, 'expiration_month' | 'expiration_year'>;

/**
 * True if a card's expiry is given and is past or unreadable: a month from 1 to 12 and a year of two or four digits
 * (§2.1 does not say which). A card is valid until the end of its month, in UTC. A card without an expiry is valid.
 */
function isExpired({ expiration_month = '', expiration_year = '' }: Expiry, now: Date): boolean {
  if (expiration_month === '' && expiration_year === '') return false;
  if (!/^(0?[1-9]|1[0-2])$/.test(expiration_month) || !/^(20)?\d\d$/.test(expiration_year)) return true;
  const year = 2000 + Number(expiration_year.slice(-2));
  return now.getTime() >= Date.UTC(year, Number(expiration_month));
}

type Subscription = NonNullable<DirectPaymentRequest['subscription']>;

const dateForms: readonly DateForm[] = ['YYYY-MM-DD', 'YYYY-MM-DD HH:MM:SS', 'YYYYMMDDHHMMSS', 'DD-MM-YYYY'];
const MAX_INTERVALS = 999;
const LAST_MOMENT_OF_DAY = 24 * 60 * 60 * 1000 - 1;

/**
 * Reads a subscription's terms (§2.1). The spec does not explain them, so they are read as follows. `interval` is a
 * word for day, week, month or year; any other word makes a contract that is never charged by itself. `interval_count`
 * defaults to 1. `billing_cycle` counts every charge with the first payment, and 0 is no limit. The first
 * `promotion_cycle` charges have the amount of the first payment, the later ones `contract_amount`. Periods begin at
 * `contract_start`, or now if that is past or missing. No charge comes after the day of `contract_end`. Throws
 * InvalidInput.
 */
function termsOf(subscription: Subscription, amount: string, now: Date): Terms {
  const { billing_cycle = 0, promotion_cycle = 0, contract_amount, contract_start, contract_end } = subscription;
  if (billing_cycle < 0) throw new InvalidInput('subscription.billing_cycle: must not be negative');
  if (promotion_cycle < 0) throw new InvalidInput('subscription.promotion_cycle: must not be negative');
  const given = contract_start ? dateOf('contract_start', contract_start).from : undefined;
  const endsAt = contract_end ? dateOf('contract_end', contract_end).to : undefined;
  if (given && endsAt && endsAt < given) {
    throw new InvalidInput('subscription.contract_end: must not be before contract_start');
  }
  const start = given ?? now;
  const interval = intervalOf(subscription);
  return {
    ...(interval && { interval }),
    startsAt: start > now ? start : now,
    ...(endsAt && { endsAt }),
    ...(billing_cycle > 0 && { cycles: billing_cycle }),
    promotionCycles: promotion_cycle,
    amount: contract_amount ?? amount,
  };
}

function intervalOf({ interval, interval_count = '1' }: Subscription): Interval | undefined {
  const count = /^\d{1,3}$/.test(interval_count || '1') ? Number(interval_count || '1') : 0;
  if (count < 1)
    throw new InvalidInput(`subscription.interval_count: must be a whole number from 1 to ${MAX_INTERVALS}`);
  const unit = unitOf(interval ?? '');
  return unit && { unit, count };
}

/** The moment in a text, or the first and the last moment of its day. */
function dateOf(field: string, text: string): { from: Date; to: Date } {
  for (const form of dateForms) {
    const date = parseDate(form, text);
    if (!date) continue;
    const { year, month, day, hour, minute, second } = date;
    const from = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
    return { from, to: form.includes('HH') ? from : new Date(from.getTime() + LAST_MOMENT_OF_DAY) };
  }
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) throw new InvalidInput(`subscription.${field}: must be a date`);
  return { from: moment, to: moment };
}

/** §2.3: opens a payment that its shopper decides on the issuer's page. */
export function apmPayment({ books, issuers, clock, random, publicUrl }: Parts): Handler {
  return handler(operations.apm_payment.request, (request) => {
    const { merchant_id, account_id, order_no, amount, currency, payment_method, return_url, notify_url } = request;
    if (return_url && !/^https?:$/.test(URL.parse(return_url)?.protocol ?? '')) {
      throw new InvalidInput('return_url: must be an http or https address');
    }
    checkItems(request);
    const issuer_token = unguessable(random);
    books.payments.add({
      transaction_id: transactionId(random),
      merchant_id,
      account_id,
      at: clock.now(),
      order: orderOf(request),
      review: 'not_held',
      state: { status: 'undecided' },
      issuer_token,
      manner: issuers.of(order_no),
      payment_method,
      ...(return_url && { return_url }),
      ...(notify_url && { notify_url }),
      ...(payment_method === METHOD_BY_HAND && { byHand: {} }),
    });
    const issuer_url = issuerAddress(publicUrl(), issuer_token);
    return { fields: { merchant_id, account_id, order_no, amount, currency, issuer_url } };
  });
}
