import type { OrderRecord } from '../../shared/gateway/query.ts';
import { paidAgain, paymentsOf, paymentsOfNobody } from '../payments/paid-twice.ts';
import { type Attempt, isUnsettled, type Session } from '../payments/session.ts';
import { withState } from '../payments/transitions.ts';
import type { Context } from '../store/context.ts';
import { sessionEvents } from '../webhooks/session-events.ts';

/** One order, whatever sessions it has. */
type Order = { account: string; order_no: string };

/**
 * Looks whether a paid order was paid once more (design 5): by an attempt that was left or declined in any session of the
 * order, which `lookAtSession` then settles and tells, or by nobody that we know of, which the session that was paid first
 * tells. Throws StoreError.
 * @param records the records of this order in a query that counts
 */
export async function lookForSecondPayment(
  context: Context,
  { account, order_no }: Order,
  records: readonly OrderRecord[],
  lookAtSession: (session: Session) => Promise<unknown>,
): Promise<void> {
  const codes = context.config.gateway.profile.codes.payment_status;
  const approved = records.filter(({ payment_status }) => codes.approved.includes(payment_status ?? ''));
  if (approved.length === 0) return;
  const attempts = await context.store.attemptsOfOrder(account, order_no);
  const payments = paymentsOf(attempts);
  const [first] = payments;
  // While somebody pays, a new record may be that payment's.
  if (!first || attempts.some(isUnsettled)) return;
  if (payments.length === 1 && approved.every(({ transaction_id }) => transaction_id === first.transaction_id)) return;
  const unpaid = attempts.filter(({ state }) => state.status !== 'approved');
  for (const id of new Set(unpaid.map(({ session_id }) => session_id))) {
    const session = await context.store.session(id);
    if (session) await lookAtSession(session);
  }
  const settled = await context.store.attemptsOfOrder(account, order_no);
  await tellSecondPayments(context, first.session_id, [
    ...paymentsOfNobody(settled, records, codes),
    ...(await untoldPayments(context, first, settled)),
  ]);
}

/** Two relays may have written two payments at the same moment, neither of which knew of the other. */
async function untoldPayments(context: Context, first: Attempt, attempts: readonly Attempt[]): Promise<string[]> {
  const untold: string[] = [];
  for (const { session_id, transaction_id } of paymentsOf(attempts)) {
    if (session_id === first.session_id || !transaction_id) continue;
    const state = (await context.store.session(session_id))?.state;
    if (state?.status === 'approved' && !state.paid_twice) untold.push(transaction_id);
  }
  return untold;
}

async function tellSecondPayments(context: Context, sessionId: string, found: readonly string[]): Promise<void> {
  for (;;) {
    const session = await context.store.session(sessionId);
    if (session?.state.status !== 'approved') return;
    const { state } = session;
    const known = [state.transaction_id, ...(state.paid_twice ?? [])];
    const news = found.filter((id) => !known.includes(id));
    if (news.length === 0) return;
    const told = withState(session, { ...state, paid_twice: [...(state.paid_twice ?? []), ...news] });
    if (await context.store.update(told, await sessionEvents(context, session, { session: told }))) {
      alarmPaidTwice(context, session, told);
      return;
    }
  }
}

/** Tells the operator what a session's change tells the shop: an order that was paid twice. */
export function alarmPaidTwice({ log, metrics }: Context, before: Session, after: Session): void {
  for (const [, second] of paidAgain(before.state, after.state)) {
    metrics.paidTwice();
    log.error(
      { session: after.id, transaction_id: second },
      'an order was paid again: this payment has to be given back',
    );
  }
}
