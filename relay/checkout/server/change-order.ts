import { z } from 'zod';
import { type Order, order as orderSchema, type updateSession } from '../../../shared/checkout/session.ts';
import { ProblemError } from '../../base/errors.ts';
import type { Account } from '../../config/load.ts';
import type { Audit } from '../../http/audit.ts';
import { sameContent } from '../../http/idempotency/idempotency.ts';
import { parseShopBody } from '../../http/parse.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { sessionOf } from '../../payments/order.ts';
import { orderDigest, type Session, type Terms } from '../../payments/session.ts';
import type { Context } from '../../store/context.ts';
import { checkOpen } from '../conflicts.ts';
import { filledBeside, withoutCards } from '../fields/filled.ts';
import { checkOrder, checkPlans, checkZero } from './create.ts';

type Change = z.infer<typeof updateSession>;

const wholeOrder = z.strictObject({ order: orderSchema });

/**
 * Changes the order of an account's open session, which then has its next revision: a payment of what was shown before is
 * `session_changed`. Gives the session as it stands; a change that changes nothing keeps its revision. Throws ProblemError
 * where there is no such session, it is not open, or the changed order is none; StoreError.
 */
export async function changeOrder(
  context: Context,
  account: Account,
  id: string,
  change: Change,
  audit: Audit,
): Promise<Session> {
  // Whoever wrote meanwhile may have begun a payment, or changed the order too: everything is looked at again.
  for (;;) {
    const order = await context.store.orderOfSession(id);
    if (!order || order.account !== account.id) {
      throw new ProblemError('not_found', 'This account has no session with this id.');
    }
    const session = sessionOf(order, id);
    checkOpen(session, context.now());
    const changed = changedTerms(context, account, session, change);
    if (!changed) return session;
    const terms = { ...changed, ...sentOrders(session, order.attempts) };
    const next: Session = { ...session, version: session.version + 1, revision: session.revision + 1, terms };
    const entry = audit.entry({ action: 'session.update', subject: id, orders: [order.order_no] });
    if (!(await context.store.changeSession(next, entry))) continue;
    audit.written();
    context.log.info({ session: id }, 'session changed');
    return next;
  }
}

/** Undefined where nothing changes. Throws ProblemError. */
function changedTerms(context: Context, account: Account, session: Session, change: Change): Terms | undefined {
  const { terms } = session;
  const order = changedOrder(context, account, session, change);
  checkPlans(change.installment_options, order.currency);
  const isSameSum = order.currency === terms.order.currency && order.amount === terms.order.amount;
  const installment_options =
    change.installment_options ??
    (isSameSum
      ? terms.installment_options
      : // What each part is, and all of them, was said of another sum.
        terms.installment_options.map(({ each: _, total: __, ...option }) => option));
  if (sameContent(order, terms.order) && sameContent(installment_options, terms.installment_options)) return undefined;
  const { filled, ...rest } = terms;
  return { ...rest, order, installment_options, ...filledBeside(filled, changedFields(terms.order, order)) };
}

/** What is kept of an order that was sent: it may be paid late, and the shop is then told whether its order differs. */
function sentOrders({ id, revision, terms }: Session, attempts: readonly Attempt[]): Pick<Terms, 'sent_orders'> {
  const wasSent = attempts.some((attempt) => attempt.session_id === id && attempt.revision === revision);
  return wasSent ? { sent_orders: { ...terms.sent_orders, [revision]: orderDigest(terms.order) } } : {};
}

/** The whole order with its changes, checked as a new one is. Throws ProblemError. */
function changedOrder(context: Context, account: Account, { order_no, terms }: Session, change: Change): Order {
  const changes = Object.entries(change.order).map(([name, value]) => [name, value ?? undefined]);
  const { order } = parseShopBody(wholeOrder, { order: { ...terms.order, ...Object.fromEntries(changes) } });
  if (order.order_no !== order_no) {
    const wrong = { path: 'order.order_no', message: 'cannot change: another order needs a session of its own' };
    throw new ProblemError('invalid_request', `Correct ${wrong.path}: it ${wrong.message}.`, { errors: [wrong] });
  }
  checkOrder(context, account, order, { return_url: undefined, under: 'order.' });
  checkZero(order, terms.methods);
  return withoutCards(order);
}

function changedFields(before: Order, after: Order): Set<string> {
  const [old, now]: Record<string, unknown>[] = [before, after];
  const names = Object.keys({ ...before, ...after });
  return new Set(names.filter((name) => !sameContent({ value: old?.[name] }, { value: now?.[name] })));
}
