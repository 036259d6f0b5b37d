import { itemsOf, outcomeAt, type StoredOperation } from '../../../../relay/payments/operations/operation.ts';
import type { OrderActionAnswer } from '../../../../shared/api/order-action.ts';
import { toMinor } from '../../../../shared/gateway/amounts.ts';
import { RETENTION_DAYS } from '../../world/config.ts';
import type { Execution } from '../../world/gateway/effects.ts';
import type { HttpAnswer } from '../../world/http/wire.ts';
import { nameIn } from '../../world/orders.ts';
import type { Scene } from '../../world/scene.ts';
import { byPerson } from './items.ts';

/**
 * A request by an order: its transaction, whether the relay fills in its amount, and the numbers of changes and
 * failures when it began.
 */
type Asked = {
  name: string;
  order: string;
  transaction: string | undefined;
  isFilled: boolean;
  changes: number;
  disturbed: number;
};

const DAY_MS = 86_400_000;

/**
 * An operation by an order is answered as done only if the gateway did it to a payment of that order, as the answer
 * shows. An amount that the relay fills in is the rest of the payment: it is refused only if nothing is left, and
 * leaves nothing. A shop that received the webhook of a payment can request it.
 */
export function watchOrderActions({ world, gateway, relays, store, onBegun, onFinished, started }: Scene): void {
  /** The request of each operation. */
  const requests = new Map<string, number>();
  /** The operations on each order's payments, each as often as it was written. */
  const changes = new Map<string, string[]>();
  const noteChange = (operation: StoredOperation): void => {
    for (const item of itemsOf(operation)) {
      const order = orderIn(operation, item);
      changes.set(order, [...(changes.get(order) ?? []), operation.id]);
    }
  };
  onBegun.push((operation) => {
    const request = world.clock.owner()?.request?.began;
    if (request !== undefined) requests.set(operation.id, request);
    noteChange(operation);
  });
  onFinished.push(noteChange);

  /** Whether no other operation on a payment of the order was written since, and nothing failed. */
  const isAlone = ({ order, changes: before, disturbed }: Asked, own?: string): boolean =>
    disturbed === relays.disturbances() && (changes.get(order) ?? []).slice(before).every((id) => id === own);

  const isDone = (operation: StoredOperation): boolean => {
    const [item = {}] = itemsOf(operation);
    const { transaction_id, refund_amount, currency } = item;
    const minor = (amount: unknown): bigint => toMinor(String(amount), String(currency));
    // Equal refunds cannot be distinguished.
    const isEqual = (one: Execution): boolean =>
      one.name === 'refund' && minor(one.refund_amount) === minor(refund_amount);
    const asked = requests.get(operation.id);
    return gateway.executions
      .filter((one) => one.moves && one.name === operation.name && one.transaction_id === transaction_id)
      .some((one) => one.asked === asked || isEqual(one));
  };

  const wrongAsDone = async (
    asked: Asked,
    answer: OrderActionAnswer,
    isFirst: boolean,
  ): Promise<string | undefined> => {
    const { operation_id: id, payment } = answer;
    const operation = await store.operations.get(id);
    if (!operation) return `there is no ${id}`;
    const [item = {}] = itemsOf(operation);
    const { transaction_id } = item;
    if (operation.name !== asked.name || orderIn(operation, item) !== asked.order)
      return `${id} is the ${operation.name} of ${item.order_no}`;
    if (transaction_id !== payment.transaction_id) return `${id} is of ${transaction_id}`;
    if (transaction_id !== (asked.transaction ?? transaction_id)) return `${id} is not of ${asked.transaction}`;
    if (!isDone(operation) && !byPerson(operation)) return `the gateway did not do ${id}`;
    const listed = payment.operations.find(({ operation_id }) => operation_id === id);
    if (listed?.outcome !== 'succeeded') return `its payment has ${id} as ${listed?.outcome}`;
    // A repeated answer has its original values.
    if (!isFirst) return undefined;
    if (outcomeAt(operation.state, 0) !== 'succeeded') return `${id} is ${operation.state.status}`;
    const left = asked.name === 'refund' ? payment.refundable : payment.capturable;
    return asked.isFilled && isAlone(asked, id) && Number(left) > 0 ? `${left} is left after it` : undefined;
  };

  const wrongIn = async (asked: Asked, { status, headers, text }: HttpAnswer): Promise<string | undefined> => {
    const answer = JSON.parse(text);
    if (status === 200) return wrongAsDone(asked, answer, !headers.has('idempotency-replayed'));
    switch (answer.code) {
      case 'not_paid':
      case 'not_found':
        return world.clock.now() - started < RETENTION_DAYS * DAY_MS ? 'it was reported as paid' : undefined;
      case 'several_payments':
        return new Set(answer.transaction_ids).size < 2 ? 'it has one payment' : undefined;
      case 'refund_exceeds_payment':
      case 'capture_exceeds_payment': {
        // A refund that was made late has no amount.
        const [, most = '0'] = /must not be more than (\S+)$/.exec(answer.errors?.[0]?.message) ?? [];
        return asked.isFilled && isAlone(asked) && Number(most) > 0 ? `${most} is left` : undefined;
      }
      default:
        return undefined;
    }
  };

  relays.watch(({ path, body = '{}' }, { request }) => {
    const [, name] = /^\/v1\/orders\/[^/]+\/(refund|capture|cancel|review)$/.exec(path) ?? [];
    const order = request.intent?.about;
    if (name === undefined || order === undefined) return undefined;
    const { amount, transaction_id: transaction } = JSON.parse(body);
    const isFilled = amount === undefined && (name === 'refund' || name === 'capture');
    const [before, disturbed] = [changes.get(order)?.length ?? 0, relays.disturbances()];
    const asked: Asked = { name, order, transaction, isFilled, changes: before, disturbed };
    return async (answer) => {
      const wrong = answer && (await wrongIn(asked, answer));
      if (wrong) world.breach('an order’s operation is as answered', `${request.name} of ${order}: ${wrong}`);
    };
  });
}

/** The order of an item, by its name in the simulation. */
function orderIn({ account }: StoredOperation, { order_no }: ReturnType<typeof itemsOf>[number]): string {
  return nameIn(account, String(order_no));
}
