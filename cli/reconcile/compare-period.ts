import { type Client, type OrderSummary, type OrderWithTimeline, RelayRefused } from '../../client/index.ts';
import type { Io } from '../base/io.ts';
import { compareOrder } from './compare/compare.ts';
import type { Finding, GatewayOrder, GatewayPayment } from './compare/records.ts';
import { type Booked, type GatewayBooks, MAX_ORDERS, type QueriedOrder } from './gateway-records.ts';
import { chunksOf, inOrder, isOfPeriod, relayOrderOf } from './relay-records.ts';
import { slicesOf } from './slices.ts';

const DAY_MS = 86_400_000;

/** The number of batches that are compared at once, and of orders of each that are read at once. */
const BATCHES_AT_ONCE = 3;
const READS_AT_ONCE = 4;

/** The inputs of a comparison. Times are in milliseconds; `to` is not part of the period. */
export type Period = {
  from: number;
  to: number;
  /**
   * The time by which queries of the gateway exceed both ends of the period, because its clock may be set back by an
   * hour.
   */
  margin: number;
};

/** A compared order. `gatewayOrder` is the order at the gateway. */
export type Compared = { order_no: string; findings: readonly Finding[]; gatewayOrder: GatewayOrder };

type Sources = { io: Io; client: Client; books: GatewayBooks };

/**
 * An order of a batch before its comparison: its entry in the relay's list, and its records in the gateway's answer for
 * the period.
 */
type Candidate = { order_no: string; listed?: OrderSummary; ofPeriod?: readonly GatewayPayment[] };

/**
 * Compares all orders of a period: first those in the relay's list, then those that only the gateway has. Each order is
 * read separately. An order that one side lacks is queried by its number before it counts as missing. Only a few
 * batches and the numbers of the orders are in memory at once. Throws the errors of its reads.
 */
export async function* comparePeriod(sources: Sources, period: Period): AsyncGenerator<Compared, void, undefined> {
  const done = new Set<string>();
  const left = new Set<string>();
  for (const candidates of [listedByRelay(sources, period), onlyAtGateway(sources, period, done)]) {
    for await (const batch of compareAll(sources, candidates, period)) {
      for (const order_no of batch.left) left.add(order_no);
      for (const one of batch.compared) {
        done.add(one.order_no);
        left.delete(one.order_no);
        yield one;
      }
    }
  }
  for (const order_no of left) yield cannotBeAsked(order_no);
}

function cannotBeAsked(order_no: string): Compared {
  const finding: Finding = { class: 'unknown', order_no, reason: 'cannot_be_asked' };
  return { order_no, findings: [finding], gatewayOrder: { payments: [], refunds: [] } };
}

/** The orders of the relay's list. An order of the previous day may be paid in the period. */
async function* listedByRelay({ client }: Sources, { from, to }: Period): AsyncGenerator<Candidate, void, undefined> {
  const listed = client.orders.each({
    created_from: new Date(from - DAY_MS).toISOString(),
    created_to: new Date(to).toISOString(),
    limit: MAX_ORDERS,
  });
  for await (const order of listed) yield { order_no: order.order_no, listed: order };
}

/** The orders of the gateway's answers that were not compared yet, each once. */
async function* onlyAtGateway(
  { io, books }: Sources,
  { from, to, margin }: Period,
  done: Set<string>,
): AsyncGenerator<Candidate, void, undefined> {
  for await (const { answer } of slicesOf(io, { from: from - margin, to: to + margin }, books.ofTime)) {
    for (const [order_no, ofPeriod] of answer.orders) {
      if (done.has(order_no)) continue;
      done.add(order_no);
      yield { order_no, ofPeriod };
    }
  }
}

/** The results of a batch; `left` are orders of the period about which the gateway cannot be queried. */
type Batch = { compared: Compared[]; left: string[] };

function compareAll(
  sources: Sources,
  candidates: AsyncIterable<Candidate>,
  period: Period,
): AsyncGenerator<Batch, void, undefined> {
  return inOrder(chunksOf(candidates, MAX_ORDERS), BATCHES_AT_ONCE, (batch) => compareBatch(sources, batch, period));
}

async function compareBatch(sources: Sources, batch: readonly Candidate[], period: Period): Promise<Batch> {
  const { io, client, books } = sources;
  const booked = await books.ofOrders(batch.map(queriedOrderOf));
  const done: Batch = { compared: [], left: [] };
  // Read after the gateway's records, so that a change in between is recent here and no difference.
  const read = inOrder(batch, READS_AT_ONCE, async (one) => {
    return { one, detail: isUntried(one, booked) ? undefined : await orderOf(client, one.order_no) };
  });
  for await (const { one, detail } of read) {
    const { order_no, ofPeriod } = one;
    if (ofPeriod === undefined && detail && !isOfPeriod(detail, period.from, period.to)) continue;
    if (booked.left.has(order_no) && (ofPeriod === undefined || detail)) {
      done.left.push(order_no);
      continue;
    }
    const gatewayOrder = gatewayOrderOf(one, booked);
    const findings = compareOrder(order_no, detail && relayOrderOf(detail), gatewayOrder, io.now());
    done.compared.push({ order_no, gatewayOrder, findings });
  }
  return done;
}

/** The statuses of an order without a payment. */
const unpaid: readonly OrderSummary['status'][] = ['open', 'pending', 'unknown', 'failed', 'expired'];

function isUnpaid({ status }: OrderSummary): boolean {
  return unpaid.includes(status);
}

function queriedOrderOf({ order_no, listed }: Candidate): QueriedOrder {
  return { order_no, transaction_id: listed?.transaction_id, isPaid: listed === undefined || !isUnpaid(listed) };
}

/** Whether nothing was sent for an order, according to both sides: it is a checkout without a payment. */
function isUntried({ order_no, listed }: Candidate, { orders, left }: Booked): boolean {
  const isListedSo = listed !== undefined && isUnpaid(listed) && listed.payment_method === undefined;
  return isListedSo && !left.has(order_no) && orders.get(order_no)?.payments.length === 0;
}

/** The order at the gateway. If the gateway cannot be queried about it, the answer for the period is used. */
function gatewayOrderOf({ order_no, ofPeriod = [] }: Candidate, { orders, left }: Booked): GatewayOrder {
  const booked = orders.get(order_no);
  return booked && !left.has(order_no) ? booked : { payments: ofPeriod, refunds: [] };
}

/** The present order at the relay; undefined if the relay has none. */
async function orderOf(client: Client, orderNo: string): Promise<OrderWithTimeline | undefined> {
  // A path cannot contain such a number, so the relay has no such order.
  if (/^\.{0,2}$/.test(orderNo)) return undefined;
  try {
    return await client.orders.get(orderNo);
  } catch (error) {
    if (error instanceof RelayRefused && error.code === 'not_found') return undefined;
    throw error;
  }
}
