import type { Context } from '../context/context.ts';
import { alarmOf, type PaymentAlarm } from '../payments/ledger/standing.ts';
import type { StoredOrder } from '../payments/order.ts';
import { needsPerson } from '../payments/session.ts';
import { failingContracts } from '../payments/settlement/contracts.ts';
import { isAlsoPaid } from '../payments/settlement/proof.ts';
import type { Decision } from '../payments/transitions.ts';

/** Reports to the operator that an order was paid twice, or that an outcome needs a person. */
export function alarmSessions({ log, metrics }: Context, before: StoredOrder, { order, events }: Decision): void {
  for (const { type, session_id, transaction_ids } of events) {
    if (type !== 'session.paid_twice') continue;
    metrics.paidTwice();
    const transaction_id = transaction_ids?.[1];
    log.error({ session: session_id, transaction_id }, 'order paid twice: refund the second payment');
  }
  for (const session of order.sessions) {
    const { id, state } = session;
    const known = before.sessions.find((one) => one.id === id);
    if (session === known) continue;
    if (!needsPerson(session) || (known && needsPerson(known))) continue;
    // The alarm of the payment reports it.
    if (state.status === 'approved' && alarmIn(order, state.transaction_id)) continue;
    metrics.gaveUp('session');
    const reason = state.status === 'unknown' ? state.search.reason : order.undecided?.reason;
    log.error({ session: id, status: state.status, reason }, 'outcome needs a person: look at the gateway’s records');
  }
}

/** Reports each payment whose transaction paid another order before to the operator. */
export function alarmShared({ log, metrics }: Context, before: StoredOrder, { order }: Decision): void {
  for (const { transaction_id, also_paid, attempt_id } of order.payments) {
    if (also_paid === undefined || isAlsoPaid(before.payments, transaction_id)) continue;
    metrics.sharedTransaction();
    const session = order.attempts.find(({ id }) => id === attempt_id)?.session_id;
    log.error({ session, transaction_id }, 'transaction paid two orders: look at the gateway’s records');
  }
}

/** Reports each payment that needs a person from now on to the operator. */
export function alarmPayments({ log, metrics }: Context, before: StoredOrder, { order }: Decision): void {
  for (const payment of order.payments) {
    const { transaction_id, attempt_id, record } = payment;
    const alarm = alarmOf(payment);
    if (!alarm || alarm === alarmIn(before, transaction_id)) continue;
    metrics.gaveUp(`payment_${alarm}`);
    const session = order.attempts.find(({ id }) => id === attempt_id)?.session_id;
    const about = { session, transaction_id, payment_status: record?.payment_status };
    log.error(about, `payment ${alarm}: look at the gateway’s records`);
  }
}

/** Reports each contract whose charge failed for the first time to the operator. */
export function alarmContracts({ log, metrics }: Context, before: StoredOrder, { order }: Decision): void {
  const known = failingContracts(before).map(({ last }) => last.recurring_id);
  for (const { last } of failingContracts(order)) {
    const { recurring_id, transaction_id, failed } = last;
    if (known.includes(recurring_id)) continue;
    metrics.gaveUp('charge_failed');
    log.warn({ transaction_id, code: failed?.code }, 'later charge of a contract failed');
  }
}

function alarmIn({ payments }: StoredOrder, transactionId: string): PaymentAlarm | undefined {
  const payment = payments.find(({ transaction_id }) => transaction_id === transactionId);
  return payment && alarmOf(payment);
}
