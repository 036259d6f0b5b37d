import {
  type Client,
  type OrderSummary,
  type OrderWithTimeline,
  RelayRefused,
  TurnpikeError,
} from '../../client/index.ts';
import { CliError, EXIT } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { compareOrder } from './compare/compare.ts';
import { canBeFixed, type Finding, type GatewayOrder, type GatewayPayment } from './compare/records.ts';
import { type Asked, type Booked, type GatewayBooks, MAX_ORDERS } from './gateway-records.ts';
import { chunksOf, inOrder, isOfPeriod, relayOrderOf } from './relay-records.ts';
import { isContentFault, withRetries } from './retry.ts';

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
  const booked = await books.ofOrders(batch.map(askedOf));
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

function askedOf({ order_no, listed }: Candidate): Asked {
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

const HOUR_MS = 3_600_000;
const SECOND_MS = 1000;

/** A part of the period, in milliseconds, and the number of the gateway's records in it. */
type Slice<Answer> = { answer: Answer; until: number };

/**
 * A slice with fewer records than `FEW` makes the next one longer, one with more than `MANY` makes it shorter: an
 * answer must fit into the memory of the command and of the relay.
 */
const FEW = 500;
const MANY = 2000;

/**
 * Reads a period in slices, oldest first, each as long as the gateway can answer at once. If an answer is late or
 * unusable, the slice is made shorter, and also if it has a round number of records, because a gateway may limit the
 * number. A slice exceeds its ends by a second, because the gateway counts whole seconds. Throws the errors of the
 * reads, and CliError if even a second has a round number of records.
 */
export async function* slicesOf<Answer extends { records: number }>(
  io: Io,
  { from, to }: { from: number; to: number },
  read: (start: number, end: number) => Promise<Answer>,
): AsyncGenerator<Slice<Answer>, void, undefined> {
  let width = HOUR_MS;
  for (let start = from; start < to; ) {
    const until = Math.min(start + width, to);
    const isShortest = until - start <= SECOND_MS;
    const [begin, end] = [start - SECOND_MS, until + SECOND_MS];
    const answer = isShortest ? await withRetries(io, () => read(begin, end)) : await readIfPossible(read, begin, end);
    if (isShortest && answer && isPerhapsCapped(answer)) throw capped(answer.records);
    if (answer === undefined || isPerhapsCapped(answer)) {
      width = Math.max(SECOND_MS, Math.floor((until - start) / 4 / SECOND_MS) * SECOND_MS);
      continue;
    }
    yield { answer, until };
    start = until;
    if (answer.records < FEW) width *= 2;
    else if (answer.records > MANY) width = Math.max(SECOND_MS, width / 2);
  }
}

/** Undefined if a shorter slice may be answered. Throws other errors. */
async function readIfPossible<Answer>(
  read: (start: number, end: number) => Promise<Answer>,
  start: number,
  end: number,
): Promise<Answer | undefined> {
  try {
    return await read(start, end);
  } catch (error) {
    const isSlow = error instanceof RelayRefused && error.code === 'gateway_timeout';
    if (isSlow || isContentFault(error)) return undefined;
    throw error;
  }
}

function isPerhapsCapped({ records }: { records: number }): boolean {
  return records > 0 && records % 100 === 0;
}

function capped(records: number): CliError {
  return new CliError('gateway_answers_capped', `The gateway returns at most ${records} payments.`, {
    exitCode: EXIT.unknown,
  });
}

/** The number of requests to the relay at once. Each makes one query about one order, as often as the relay permits. */
const FIXES_AT_ONCE = 4;

/** The result for an order: no difference any more, still a difference, or no proof in the gateway's answer. */
export type Fixed = { order_no: string; result: 'agrees' | 'differs' | 'failed' };

/**
 * Makes the relay query the gateway about orders now, and compares them again. Nothing else is written. Never throws.
 */
export async function* fixAll(
  io: Io,
  client: Client,
  orders: readonly Compared[],
): AsyncGenerator<Fixed, void, undefined> {
  yield* inOrder(orders, FIXES_AT_ONCE, async ({ order_no, gatewayOrder }): Promise<Fixed> => {
    try {
      const { last_query } = await client.orders.reconcile(order_no);
      if (last_query?.counted === false) return { order_no, result: 'failed' };
      const order = await client.orders.get(order_no);
      // Findings that are still unknown, or cannot be queried, do not depend on this query.
      const left = compareOrder(order_no, relayOrderOf(order), gatewayOrder, io.now()).filter(canBeFixed);
      return { order_no, result: left.length === 0 ? 'agrees' : 'differs' };
    } catch (error) {
      if (error instanceof TurnpikeError) return { order_no, result: 'failed' };
      throw error;
    }
  });
}
