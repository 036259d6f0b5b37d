import type { AttentionCase, AttentionKind } from '../../../shared/api/attention.ts';
import { amountDue, decidingAttempt } from '../../payments/amount-due.ts';
import { leftToShop, type Standing } from '../../payments/ledger/order-status.ts';
import { alarmOf, captureDueAt } from '../../payments/ledger/standing.ts';
import type { OrderPayment, PaymentRules, StoredOrder } from '../../payments/order.ts';
import { needsPerson, type Session } from '../../payments/session.ts';
import { failingContracts } from '../../payments/settlement/contracts.ts';

/** The kinds of cases that are orders. */
export type OrderKind = Extract<
  AttentionKind,
  'paid_twice' | 'charge_failed' | `payment_${string}` | `order_${string}`
>;

type OrderCase = AttentionCase & { kind: OrderKind; order_no: string };

/** The inputs of an order's cases besides the order: the standings of its payments, and the rules. */
export type CaseFacts = { standings: readonly Standing[]; rules: PaymentRules };

/**
 * The cases of an order, at most one of each kind. `since` is in the future if a case begins later: an authorised
 * payment waits for a person after some days.
 */
export function orderCases(order: StoredOrder, facts: CaseFacts): OrderCase[] {
  const cases = [
    ...ofPayments(order, facts),
    ...ofContracts(order),
    ...order.sessions.flatMap((session) => ofSession(order, session)),
  ];
  return cases.filter(({ kind }, at) => cases.findIndex((one) => one.kind === kind) === at);
}

function ofPayments(order: StoredOrder, { standings, rules }: CaseFacts): OrderCase[] {
  const [, second] = leftToShop(standings);
  const shared = order.payments.find(({ also_paid }) => also_paid !== undefined);
  return [
    ...(second ? [ofPayment(order, second.payment, 'paid_twice', 'paid_twice')] : []),
    ...order.payments.flatMap((payment) => ofAlarm(order, payment)),
    ...standings.flatMap(({ payment, status }): OrderCase[] => {
      const since = captureDueAt(payment, status, rules);
      return since ? [{ ...ofPayment(order, payment, 'payment_authorised', 'authorised'), since }] : [];
    }),
    ...(shared ? [ofPayment(order, shared, 'order_contradicted', 'transaction_known')] : []),
  ];
}

function ofAlarm(order: StoredOrder, payment: OrderPayment): OrderCase[] {
  const alarm = alarmOf(payment);
  if (!alarm) return [];
  const { told_at: since = payment.date } = payment;
  return [{ ...ofPayment(order, payment, `payment_${alarm}`, alarm), since }];
}

/** Contracts whose last charges failed. */
function ofContracts(order: StoredOrder): OrderCase[] {
  return failingContracts(order).map(({ last, since }) => {
    const { transaction_id, recurring_id, amount, currency, failed } = last;
    const begun = order.payments.find((payment) => payment.recurring_id === recurring_id);
    const session_id = order.attempts.find(({ id }) => id === begun?.attempt_id)?.session_id;
    return {
      ...{ kind: 'charge_failed', why: failed?.code ?? 'charge_failed', since, order_no: order.order_no },
      ...(session_id === undefined ? {} : { session_id }),
      ...{ recurring_id, transaction_id, amount, currency },
    };
  });
}

function ofPayment(
  { order_no, attempts }: StoredOrder,
  payment: OrderPayment,
  kind: OrderKind,
  why: string,
): OrderCase {
  const { transaction_id, amount, currency, date: since, attempt_id } = payment;
  const method = payment.method ?? attempts.find(({ id }) => id === attempt_id)?.method;
  const session_id = attempts.find(({ id }) => id === attempt_id)?.session_id;
  const about = kind === 'paid_twice' || session_id === undefined ? {} : { session_id };
  return { kind, why, since, order_no, ...about, transaction_id, amount, currency, ...methodIn(method) };
}

function methodIn(method: string | undefined): Pick<AttentionCase, 'payment_method'> {
  return method === undefined ? {} : { payment_method: method };
}

function ofSession(order: StoredOrder, session: Session): OrderCase[] {
  const { state } = session;
  const { amount, currency } = amountDue(session, order.attempts);
  const method = (decidingAttempt(session, order.attempts) ?? order.attempts.at(-1))?.method;
  const about = { order_no: order.order_no, session_id: session.id, amount, currency, ...methodIn(method) };
  const next = order.next_query_at === undefined ? {} : { next_query_at: order.next_query_at };
  const isForPerson = needsPerson(session);
  switch (state.status) {
    case 'unknown': {
      const { reason: why, since } = state.search;
      const isContradiction = why === 'amount_differs' || why === 'paid_before';
      const kind = isContradiction ? 'order_contradicted' : isForPerson ? 'order_unknown' : 'order_asked';
      return [{ kind, why, since, ...about, ...next }];
    }
    case 'pending':
      return [
        {
          ...{ kind: isForPerson ? ('order_overdue' as const) : ('order_pending' as const), why: 'pending' },
          ...{ since: state.search.since, ...about, ...next },
        },
      ];
    case 'approved': {
      const since = session.settled?.at ?? session.created_at;
      // The case of its payment reports it.
      const payment = order.payments.find(({ transaction_id }) => transaction_id === state.transaction_id);
      return isForPerson && !(payment && alarmOf(payment))
        ? [{ kind: 'order_contradicted', why: 'record_declined', since, ...about }]
        : [];
    }
    case 'failed':
    case 'expired': {
      const { reason: why = 'gave_up', since = session.expires_at } = order.undecided ?? {};
      return isForPerson ? [{ kind: 'order_contradicted', why, since, ...about, ...next }] : [];
    }
    case 'open':
    case 'processing':
    case 'redirected':
      return [];
  }
}
