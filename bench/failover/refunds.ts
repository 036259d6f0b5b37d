import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { type OperationAnswer, operationAnswer, operationList } from '../../shared/api/operation.ts';
import { fromMinor, toMinor } from '../../shared/gateway/amounts.ts';
import { soon } from '../../test/support/time/until.ts';

/** Reads an answer of a relay. Throws if it does not come in time. */
type Read = <Answer>(path: string, schema: z.ZodType<Answer>) => Promise<Answer>;

/** Sends a request to a relay. `kind` names it among the requests of clients. */
export type Get = (kind: string, path: string) => Promise<{ status: number; text: string }>;

/** The refunds of one order: `made` at the gateway, `operations` and the amount `refunded` in the relay. */
type RefundBooks = {
  order_no: string;
  made: readonly { refund_reference_id: string; refund_amount: string }[];
  operations: readonly OperationAnswer[];
  refunded: string;
  currency: string;
};

/** The differences between both. `waiting` are refunds whose outcome the relay does not know. */
type RefundDifferences = { lost: string[]; twice: string[]; waiting: string[] };

const PAGE = 100;
const PAUSE_MS = 500;

/** Repeats a request until the answer is 200, for `withinMs` at most. */
export function reader(get: Get, withinMs: number): Read {
  return (path, schema) => {
    const readOnce = async () => {
      const { status, text } = await get('books', path);
      return status === 200 ? { read: schema.parse(JSON.parse(text)) } : undefined;
    };
    return soon(path, readOnce, withinMs).then(({ read }) => read);
  };
}

/**
 * Reads all refunds of a relay, once it knows the outcome of all of them, or after `withinMs`.
 * @returns the operations by the number of their order
 */
export async function refundsOfRelay(read: Read, withinMs: number): Promise<Map<string, OperationAnswer[]>> {
  const end = performance.now() + withinMs;
  let listed = await listedRefunds(read);
  while (listed.some(isOpen) && performance.now() < end) {
    await setTimeout(PAUSE_MS);
    listed = await listedRefunds(read);
  }
  const operations: OperationAnswer[] = [];
  for (const { id } of listed) operations.push(await read(`/v1/operations/${id}`, operationAnswer));
  return Map.groupBy(operations, orderOf);
}

/** Reads all pages of the relay's list of refunds. */
async function listedRefunds(read: Read) {
  const path = `/v1/operations?operation=refund&limit=${PAGE}`;
  let page = await read(path, operationList);
  const found = [...page.operations];
  while (page.next !== undefined) {
    page = await read(`${path}&before=${page.next}`, operationList);
    found.push(...page.operations);
  }
  return found;
}

/** Compares the refunds of an order: the relay must know each refund that the gateway made, once, and no other. */
export function compareRefunds({ order_no, made, operations, refunded, currency }: RefundBooks): RefundDifferences {
  const found: RefundDifferences = { lost: [], twice: [], waiting: [] };
  const known = Map.groupBy(operations.flatMap(referencesOf), (reference) => reference);
  for (const [reference, { length }] of known) {
    if (length > 1) found.twice.push(`${reference} is refunded by ${length} operations in the relay`);
    if (!made.some(({ refund_reference_id }) => refund_reference_id === reference)) {
      found.lost.push(`${reference} is refunded in the relay and not at the gateway`);
    }
  }
  for (const { id, status } of operations.filter(isOpen)) {
    found.waiting.push(
      `${id} is ${status} in the relay, and ${order_no} is refunded ${made.length} times at the gateway`,
    );
  }
  // A waiting refund counts as refunded in the relay, and may be any of those at the gateway.
  if (found.waiting.length > 0) return found;
  for (const { refund_reference_id } of made) {
    if (!known.has(refund_reference_id))
      found.lost.push(`${refund_reference_id} is refunded at the gateway and not in the relay`);
  }
  // If a refund is missing, the sums differ as well.
  if (found.lost.length > 0) return found;
  const sum = made.reduce((all, { refund_amount }) => all + toMinor(refund_amount, currency), 0n);
  if (toMinor(refunded, currency) !== sum) {
    found.lost.push(
      `${order_no} is refunded by ${refunded} in the relay and by ${fromMinor(sum, currency)} at the gateway`,
    );
  }
  return found;
}

/** True while the outcome of an operation is not known. */
export function isOpen({ status, unknown }: Pick<OperationAnswer, 'status' | 'unknown'>): boolean {
  return status === 'in_flight' || unknown !== undefined;
}

const refundAnswer = z.object({ refund_orders: z.array(z.object({ refund_reference_id: z.string() })) });

/** The gateway's ids of the refunds of an operation, from its answer or from a search. */
function referencesOf({ status, answer, settlement }: OperationAnswer): string[] {
  if (status === 'answered') {
    const { refund_orders = [] } = refundAnswer.safeParse(answer).data ?? {};
    return refund_orders.map(({ refund_reference_id }) => refund_reference_id).filter((reference) => reference !== '');
  }
  return settlement?.by === 'refund_search' ? settlement.refund_reference_ids : [];
}

const refundRequest = z.object({ refund_orders: z.tuple([z.object({ order_no: z.string() })]) });

/** The order of a refund; shoppers refund one order at a time. */
function orderOf({ request }: OperationAnswer): string {
  return refundRequest.parse(request).refund_orders[0].order_no;
}
