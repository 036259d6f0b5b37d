import { z } from 'zod';
import {
  type CreateSession,
  type InstallmentOption,
  type Order,
  order as orderSchema,
  type PaymentMethod,
  type updateSession,
} from '../../../shared/checkout/session.ts';
import { isZero } from '../../../shared/gateway/amounts.ts';
import { currencies } from '../../../shared/gateway/currencies.ts';
import { encodeItems, ItemsError } from '../../../shared/gateway/items.ts';
import { ProblemError } from '../../base/errors.ts';
import type { Account } from '../../config/load.ts';
import type { Context } from '../../context/context.ts';
import { unlistable } from '../../gateway/wire-forms.ts';
import type { Audit } from '../../http/audit.ts';
import { sameContent } from '../../http/idempotency/idempotency.ts';
import { amountIn, parseShopBody } from '../../http/parse.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { sessionOf } from '../../payments/order.ts';
import { orderDigest, type Session, type Terms } from '../../payments/session.ts';
import { checkOpen } from '../conflicts.ts';
import { withoutCards, withoutCardsIn } from '../fields/card-in-text.ts';
import { filledBeside } from '../fields/filled.ts';
import { isAllowedReturnUrl } from '../return-url.ts';

/** The default life of a session. */
const DEFAULT_LIFE_SECONDS = 86_400;

/** A new session of one order (`POST /v1/sessions`), not yet stored. Throws ProblemError. */
export function newSession(context: Context, account: Account, body: CreateSession): Session {
  checkOrder(context, account, body.order, { return_url: body.return_url, under: 'order.' });
  checkZero(body.order, body.payment_methods);
  const {
    payment_methods,
    installment_options,
    saved_cards,
    save_card,
    collect,
    return_url,
    locale,
    expires_in,
    metadata,
  } = body;
  const terms: Terms = {
    order: withoutCards(body.order),
    methods: payment_methods ?? [{ type: 'card' }],
    installment_options: writtenPlans(installment_options ?? [], body.order.currency),
    saved_cards: saved_cards ?? [],
    ...(save_card === undefined ? {} : { keeps_cards: true }),
    collect: collect ?? [],
    ...(return_url === undefined ? {} : { return_url }),
    ...(locale === undefined ? {} : { locale }),
    ...(metadata === undefined ? {} : { metadata: withoutCardsIn(metadata) }),
  };
  return openSession(context, account, terms, expires_in);
}

/** An open session with these terms, not yet stored, that ends after this many seconds. */
export function openSession(
  { newId, now }: Context,
  account: Account,
  terms: Terms,
  seconds = DEFAULT_LIFE_SECONDS,
): Session {
  const created = now();
  return {
    id: newId('cs'),
    account: account.id,
    order_no: terms.order.order_no,
    created_at: created.toISOString(),
    expires_at: new Date(created.getTime() + seconds * 1000).toISOString(),
    revision: 1,
    version: 1,
    terms,
    state: { status: 'open' },
  };
}

/**
 * Checks an order beyond its schema: it can be queried, encoded, and returned from. `under` is the path of its fields
 * in the request. Throws ProblemError.
 */
export function checkOrder(
  context: Context,
  account: Account,
  order: Pick<Order, 'order_no' | 'currency' | 'items'>,
  { return_url, under }: { return_url: string | undefined; under: 'order.' | '' },
): void {
  const separator = context.config.gateway.profile.list_separator;
  if (unlistable([order.order_no, order.order_no], separator) >= 0) {
    refuse(`${under}order_no`, `must not contain "${separator}", which separates orders in a query`);
  }
  checkCurrency(account, order.currency, `${under}currency`);
  if (return_url !== undefined && !isAllowedReturnUrl(return_url, account.return_urls)) {
    const allowed = account.return_urls.length > 0 ? account.return_urls.join(', ') : 'none of which are configured';
    refuse('return_url', `must be an absolute URL under one of the relay’s return_urls: ${allowed}`);
  }
  try {
    encodeItems(order.items ?? []);
  } catch (error) {
    if (!(error instanceof ItemsError)) throw error;
    refuse(`${under}items`, `cannot be sent: ${error.message}`);
  }
}

/** Checks that the account accepts a currency. Throws ProblemError. */
function checkCurrency({ currencies: own }: Account, currency: string, path: string): void {
  if (own?.includes(currency) ?? currencies.has(currency)) return;
  const taken = own ? `one of ${own.join(', ')}` : 'a currency of ISO 4217 that is in use';
  refuse(path, `must be ${taken}, which ${currency} is not`);
}

/** The plans with their amounts in the form of the order's currency. Throws ProblemError. */
function writtenPlans(plans: readonly InstallmentOption[], currency: string): InstallmentOption[] {
  return plans.map(({ each, total, ...plan }, at) => {
    const written = (name: string, amount: string): string =>
      amountIn(amount, currency, `installment_options.${at}.${name}`);
    return {
      ...plan,
      ...(each === undefined ? {} : { each: written('each', each) }),
      ...(total === undefined ? {} : { total: written('total', total) }),
    };
  });
}

/** Checks that an amount of zero is paid by card only: it checks or saves a card. Throws ProblemError. */
function checkZero({ amount }: Pick<Order, 'amount'>, methods: readonly PaymentMethod[] = []): void {
  if (!isZero(amount) || methods.every(({ type }) => type === 'card')) return;
  refuse('order.amount', 'must be more than zero where an alternative method may pay');
}

function refuse(path: string, message: string): never {
  throw new ProblemError('invalid_request', `Correct ${path}: it ${message}.`, { errors: [{ path, message }] });
}

type Change = z.infer<typeof updateSession>;

const wholeOrder = z.strictObject({ order: orderSchema });

/**
 * Changes the order of an account's open session, which gets its next revision: payments of earlier revisions fail with
 * `session_changed`. Returns the session. A change without an effect keeps the revision. Throws ProblemError if the
 * session does not exist, is not open, or the changed order is not valid, and StoreError.
 */
export async function changeOrder(
  context: Context,
  account: Account,
  id: string,
  change: Change,
  audit: Audit,
): Promise<Session> {
  // Another write may have started a payment or changed the order, so everything is checked again.
  for (;;) {
    const order = await context.store.orders.ofSession(id);
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
    if (!(await context.store.sessions.change(next, entry))) continue;
    audit.written();
    context.log.info({ session: id }, 'session changed');
    return next;
  }
}

/** Undefined if nothing changes. Throws ProblemError. */
function changedTerms(context: Context, account: Account, session: Session, change: Change): Terms | undefined {
  const { terms } = session;
  const order = changedOrder(context, account, session, change);
  const plans = change.installment_options && writtenPlans(change.installment_options, order.currency);
  const isSameSum = order.currency === terms.order.currency && order.amount === terms.order.amount;
  const installment_options =
    plans ??
    (isSameSum
      ? terms.installment_options
      : // The parts and their sums belong to the previous amount.
        terms.installment_options.map(({ each: _, total: __, ...option }) => option));
  if (sameContent(order, terms.order) && sameContent(installment_options, terms.installment_options)) return undefined;
  const { filled, ...rest } = terms;
  return { ...rest, order, installment_options, ...filledBeside(filled, changedFields(terms.order, order)) };
}

/** The stored digests of sent orders, by which a late payment reports whether its order differs. */
function sentOrders({ id, revision, terms }: Session, attempts: readonly Attempt[]): Pick<Terms, 'sent_orders'> {
  const wasSent = attempts.some((attempt) => attempt.session_id === id && attempt.revision === revision);
  return wasSent ? { sent_orders: { ...terms.sent_orders, [revision]: orderDigest(terms.order) } } : {};
}

/** The order with its changes, checked like a new order. Throws ProblemError. */
function changedOrder(context: Context, account: Account, { order_no, terms }: Session, change: Change): Order {
  const changes = Object.entries(change.order).map(([name, value]) => [name, value ?? undefined]);
  const { order } = parseShopBody(wholeOrder, { order: { ...terms.order, ...Object.fromEntries(changes) } }, account);
  if (order.order_no !== order_no) {
    refuse('order.order_no', 'cannot change: another order needs a session of its own');
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
