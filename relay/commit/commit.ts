import { ProblemError } from '../base/errors.ts';
import { sha256 } from '../base/keys.ts';
import type { SpanFields } from '../base/tracing.ts';
import { rulesOf } from '../config/rules.ts';
import { type Context, nowWithoutJumps } from '../context/context.ts';
import { historiesOf } from '../context/histories.ts';
import { otherFormProblem } from '../context/transaction-form-problem.ts';
import type { Histories } from '../payments/ledger/payment-operation.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import { type OrderPayment, type StoredOrder, sessionOf } from '../payments/order.ts';
import { stillWatched } from '../payments/schedule.ts';
import { markAlsoPaid } from '../payments/settlement/proof.ts';
import type { Decision, OrderEvent } from '../payments/transitions.ts';
import type { Finish } from '../store/facets/operations.ts';
import type { OrderKey, OrderWrite, OrderWritten, SpellingKnown, TransactionKnown } from '../store/facets/orders.ts';
import type { NewEvent } from '../store/facets/outbox.ts';
import { writtenOrder } from '../store/order-changes.ts';
import { alarmContracts, alarmPayments, alarmSessions, alarmShared } from './alarms.ts';
import { newEvent } from './new-event.ts';
import { paymentChanges } from './payment-changes.ts';
import { paymentEvents } from './payment-events.ts';
import { sessionAnswer } from './session-answer.ts';
import { subscriptionEvents } from './subscription-events.ts';

/** The values to write in one transaction with an order's change and its webhooks. */
export type WriteExtras = Omit<OrderWrite, 'before' | 'after' | 'events'> & {
  /** The histories of the order's payments for their events, read after the order. */
  histories?: Histories | undefined;
};

/** The result of writing a decision. `order` is the order as decided, with any mark that was added and its earlier versions. */
export type Committed =
  | { kind: 'written'; order: StoredOrder }
  | Exclude<OrderWritten, { kind: 'written' } | TransactionKnown | SpellingKnown>;

/**
 * Writes a decision about an order with its webhooks, if the order was not written since it was read. Every change of an order is written
 * here. A payment by a transaction that paid another order is marked if the gateway reported it. Throws StoreError, and ProblemError if a
 * person reported it: `transaction_known`, or `transaction_id_form` for another spelling of a known transaction_id.
 * @param logged the session whose change of state the caller logs
 */
export async function commitOrder(
  context: Context,
  before: StoredOrder,
  decision: Decision,
  { histories, ...more }: WriteExtras = {},
  logged?: string,
): Promise<Committed> {
  const events = [
    ...sessionEvents(context, decision),
    ...(await paymentEvents(context, decision.order, decision.payments ?? [], histories)),
    ...subscriptionEvents(context, decision.order, decision.contracts ?? [], histories),
  ];
  const after = stillWatched(decision.order, context.now(), nowWithoutJumps(context), rulesOf(context.config));
  const write = { before, after, events, ...more };
  const { account, order_no } = before;
  const about = { 'turnpike.account': account, 'turnpike.order_no': order_no };
  const written = await context.tracer.work('store commit', about, () => context.store.orders.write(write), spanFields);
  if (written.kind === 'transaction_known') {
    const marked = markKnown(before, decision, written);
    return commitOrder(context, before, marked, { ...more, histories }, logged);
  }
  if (written.kind === 'other_form') throw otherFormProblem('transaction_id', written.known);
  if (written.kind !== 'written') return written;
  alarmShared(context, before, decision);
  alarmPayments(context, before, decision);
  alarmContracts(context, before, decision);
  wakeDelivery(context, events);
  if (decision.events.length > 0) {
    logMoves(context, before, decision, logged);
    alarmSessions(context, before, decision);
  }
  return { ...written, order: after };
}

/** The decision with a mark at the payment by a known transaction. Throws ProblemError if a person reported that payment. */
function markKnown(before: StoredOrder, decision: Decision, { transaction_id, order_no }: TransactionKnown): Decision {
  const isIt = (payment: OrderPayment): boolean => payment.transaction_id === transaction_id;
  const named = decision.order.payments.find(isIt);
  if (named?.proof === 'person' && !before.payments.some(isIt)) {
    throw new ProblemError('transaction_known', `This transaction paid the order ${order_no}. One pays one order.`);
  }
  return markAlsoPaid(decision, transaction_id, order_no);
}

const spanFields = ({ kind }: OrderWritten): SpanFields => ({ 'turnpike.result': kind });

/**
 * Reads an order, decides, and writes the decision, and repeats this if another write came between. Returns the order. Nothing is written if
 * `decide` returns undefined. Throws StoreError, and errors of `decide`.
 * @param more the additional values to write, or a function that returns them for the written order
 * @param known the last written order, if it is known: it is read only after another write
 */
export async function updateOrder(
  context: Context,
  key: OrderKey,
  decide: (order: StoredOrder) => Decision | undefined | Promise<Decision | undefined>,
  more: WriteExtras | ((written: StoredOrder) => WriteExtras) = {},
  known?: StoredOrder,
): Promise<StoredOrder> {
  for (let last = known; ; last = undefined) {
    const order = last ?? (await context.store.orders.get(key.account, key.order_no));
    const decision = await decide(order);
    if (!decision) return order;
    const after = writtenOrder(order, decision.order);
    const extras = typeof more === 'function' ? more(after) : more;
    const written = await commitOrder(context, order, decision, extras);
    if (written.kind !== 'written') continue;
    return written.order === decision.order ? after : writtenOrder(order, written.order);
  }
}

/** An order, and the histories of its payments, read after it. */
export type KnownPayments = { order: StoredOrder; histories: Histories };

/**
 * Updates an order by a decision that depends on the histories of its payments, and returns both. Throws StoreError, and errors of `decide`.
 * @param ids returns the payments of the decision
 * @param known the values already read: they are read again only after another write
 */
export async function updatePayments(
  context: Context,
  key: OrderKey,
  ids: (order: StoredOrder) => readonly string[],
  decide: (order: StoredOrder, histories: Histories) => Decision | undefined,
  more: (written: StoredOrder, histories: Histories) => WriteExtras,
  known?: KnownPayments,
): Promise<KnownPayments> {
  let histories: Histories = new Map();
  const decideWith = async (order: StoredOrder): Promise<Decision | undefined> => {
    // Read after the order, because an operation on its payments also writes the order.
    histories = order === known?.order ? known.histories : await historiesOf(context, key.account, ids(order));
    return decide(order, histories);
  };
  const extras = (written: StoredOrder): WriteExtras => ({ ...more(written, histories), histories });
  const order = await updateOrder(context, key, decideWith, extras, known?.order);
  return { order, histories };
}

/**
 * Writes the outcome of an operation with its webhooks and those of the changed payments. Returns false, and writes nothing, if the operation
 * was written since it was read. Throws StoreError.
 * @param before the operation as it was read
 */
export async function commitOperation(context: Context, before: StoredOperation, finish: Finish): Promise<boolean> {
  for (;;) {
    const { events: ofPayments, orders } = await paymentChanges(context, before, finish.operation);
    const events = [...finish.events, ...ofPayments];
    if (await context.store.operations.finish({ ...finish, orders, events })) {
      wakeDelivery(context, events);
      if (orders.some(({ due }) => due !== undefined)) context.wakeUps.reconciliation.wake();
      return true;
    }
    // An order may have been written since it was read, and the operation not.
    const current = orders.length > 0 ? await context.store.operations.get(before.id) : undefined;
    if (current?.version !== before.version) return false;
  }
}

/** Wakes the delivery of webhooks that have just been written: they need not wait for the next poll of the outbox. */
export function wakeDelivery({ wakeUps }: Context, events: readonly Pick<NewEvent, 'account' | 'endpoints'>[]): void {
  for (const { account, endpoints } of events) {
    for (const endpoint of endpoints) wakeUps.delivery(account, endpoint).wake();
  }
}

function logMoves({ log }: Context, before: StoredOrder, { order }: Decision, logged: string | undefined): void {
  for (const { id, state } of order.sessions) {
    if (id === logged) continue;
    const known = before.sessions.find((one) => one.id === id);
    if (known?.state.status !== state.status) log.info({ session: id, status: state.status }, 'session moved');
  }
}

/** The webhooks of an order's change, to be written with it. */
export function sessionEvents(context: Context, { order, events }: Decision): NewEvent[] {
  return events.flatMap(({ type, session_id, ...more }) => {
    const session = sessionOf(order, session_id);
    const data = { ...sessionAnswer(order, session, context.now()), ...more };
    const subject = { account: order.account, id: session_id };
    const twice = type === 'session.paid_twice' ? more.transaction_ids : undefined;
    return twice
      ? newEvent(context, subject, type, data, idOfPaidTwice(order, twice))
      : newEvent(context, subject, type, data);
  });
}

/** The id of the event of a second payment, which is sent once. */
function idOfPaidTwice(
  { account, order_no }: { account: string; order_no: string },
  [, second]: NonNullable<OrderEvent['transaction_ids']>,
): string {
  return `msg_${sha256(JSON.stringify([account, order_no, second]))}`;
}
