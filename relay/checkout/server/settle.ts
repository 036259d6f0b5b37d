import type { SettleSession } from '../../../shared/api/session.ts';
import { maskText } from '../../../shared/card-data/mask.ts';
import { ProblemError } from '../../base/errors.ts';
import { updateOrder, type WriteExtras } from '../../commit/commit.ts';
import type { Account } from '../../config/load.ts';
import { rulesOf } from '../../config/rules.ts';
import type { Context } from '../../context/context.ts';
import { amountIn } from '../../http/parse.ts';
import { isUnsettled } from '../../payments/attempt.ts';
import { type StoredOrder, sessionOf } from '../../payments/order.ts';
import { isWaiting, type Session } from '../../payments/session.ts';
import { expireSession } from '../../payments/session-steps.ts';
import { settleByPerson } from '../../payments/settle-by-person.ts';
import type { Decision } from '../../payments/transitions.ts';

/** An account's session. Throws ProblemError `not_found`. */
async function ownSession(context: Context, account: Account, id: string): Promise<Session> {
  const session = await context.store.sessions.get(id);
  if (session?.account === account.id) return session;
  throw new ProblemError('not_found', 'This account has no session with this id.');
}

/**
 * Applies a person's decision about the undecided part of a session's order. Nothing is sent. Throws ProblemError:
 * `session_not_unsettled` if nothing is undecided, `transaction_known` if the transaction paid another order,
 * `transaction_id_form` if it is another spelling of a known one.
 * @param by the name of the API key
 * @param more the rows to write in the same transaction
 */
export async function settleSession(
  context: Context,
  account: Account,
  id: string,
  body: SettleSession,
  by: string,
  more: (written: StoredOrder) => WriteExtras,
): Promise<StoredOrder> {
  const session = await ownSession(context, account, id);
  const verdict = written(body, session);
  const decide = (order: StoredOrder): Decision => {
    const at = context.now();
    const kept = { by, at: at.toISOString(), note: maskText(body.note) };
    const decision = settleByPerson(order, id, verdict, kept, at, rulesOf(context.config));
    if (!decision) {
      throw new ProblemError('session_not_unsettled', 'Nothing of this session is undecided. Get the session.');
    }
    return decision;
  };
  const settled = await updateOrder(context, session, decide, more);
  context.log.info({ session: id, outcome: body.outcome, by }, 'session settled by a person');
  return settled;
}

/** The verdict with its amount in the form of its currency. Throws ProblemError. */
function written(body: SettleSession, { terms }: Session): SettleSession {
  if (body.outcome !== 'approved' || body.amount === undefined) return body;
  return { ...body, amount: amountIn(body.amount, body.currency ?? terms.order.currency, 'amount') };
}

/**
 * Withdraws a session for the shop. A repetition changes nothing. Throws ProblemError if the session is being paid or
 * is over.
 * @param more the rows to write in the same transaction
 */
export async function withdrawSession(
  context: Context,
  account: Account,
  id: string,
  by: string,
  more: (written: StoredOrder) => WriteExtras,
): Promise<StoredOrder> {
  const session = await ownSession(context, account, id);
  const decide = (current: StoredOrder): Decision | undefined => {
    const now = sessionOf(current, id);
    if (now.state.status === 'expired') return undefined;
    const isBusy = now.state.status === 'processing' || isWaiting(now);
    if (isBusy || current.attempts.some((one) => one.session_id === id && isUnsettled(one))) {
      throw new ProblemError('attempt_in_flight', 'A payment of this session is unsettled. Get the session.');
    }
    const decision = expireSession(current, id, by);
    if (decision) return decision;
    throw new ProblemError('session_final', 'This session is over. Get the session.');
  };
  const order = await updateOrder(context, session, decide, more);
  context.log.info({ session: id, by }, 'session withdrawn');
  return order;
}
