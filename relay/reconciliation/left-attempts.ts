import { ProblemError } from '../base/errors.ts';
import { orderProblem } from '../checkout/conflicts.ts';
import type { Account } from '../config/load.ts';
import { type Attempt, isUnsettled, type Session, wasLeft } from '../payments/session.ts';
import type { Context } from '../store/context.ts';
import { lookAt } from './look.ts';

/**
 * An attempt that the shopper left at the issuer's page may have been paid after all. Before the order is paid another
 * way, the gateway is asked, by a query that starts now. Throws ProblemError when it is paid or being paid, or when nobody
 * can tell.
 * @param attempts every attempt ever made for the order
 */
export async function checkLeftAttempts(
  context: Context,
  account: Account,
  attempts: readonly Attempt[],
): Promise<void> {
  checkFree(attempts);
  const ids = [...new Set(attempts.filter(wasLeft).map(({ session_id }) => session_id))];
  const found = await Promise.all(ids.map((id) => context.store.session(id)));
  const sessions = found.filter((session): session is Session => session !== undefined);
  const [first] = sessions;
  if (!first) return;
  const { counts, undecided } = await lookAt(context, account, sessions, 'payment');
  checkFree(await context.store.attemptsOfOrder(account.id, first.order_no));
  if (undecided) throw orderProblem('order_in_progress');
  if (!counts) {
    throw new ProblemError('gateway_unreachable', 'The gateway cannot be asked, so this was not sent. Try again.');
  }
}

/** Throws the 409 of an order that is paid, or that another attempt holds. */
function checkFree(attempts: readonly Attempt[]): void {
  if (attempts.some(({ state }) => state.status === 'approved')) throw orderProblem('order_already_paid');
  if (attempts.some(isUnsettled)) throw orderProblem('order_in_progress');
}
