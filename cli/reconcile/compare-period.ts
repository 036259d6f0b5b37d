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

/** Batches of orders that are compared at once, and orders of each that are read at once. */
const BATCHES_AT_ONCE = 3;
const READS_AT_ONCE = 4;

/** What the comparison of a period works with. Times are in milliseconds; `to` is not part of the period. */
export type Period = {
  from: number;
  to: number;
  /** How much the gateway is asked for beyond both ends, for the hour that its clock may be put back by. */
  margin: number;
};

/** One order that was compared. `gatewayOrder` is what the gateway has of it. */
export type Compared = { order_no: string; findings: readonly Finding[]; gatewayOrder: GatewayOrder };

type Sources = { io: Io; client: Client; books: GatewayBooks };

/** An order of a batch, before it is compared: how the list has it, and what the gateway's answer for the period has. */
type Candidate = { order_no: string; listed?: OrderSummary; ofPeriod?: readonly GatewayPayment[] };

/**
 * Compares all orders of a period: first those in the relay's list, then those that only the gateway has. Each order is read
 * alone. An order that one side lacks is queried by its number before it counts as missing. Only a few batches and the numbers of the
 * orders are in memory at once. Throws what a read throws.
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

/** Orders of the relay's list. One of the day before may be paid in the period. */
async function* listedByRelay({ client }: Sources, { from, to }: Period): AsyncGenerator<Candidate, void, undefined> {
  const listed = client.orders.each({
    created_from: new Date(from - DAY_MS).toISOString(),
    created_to: new Date(to).toISOString(),
    limit: MAX_ORDERS,
  });
  for await (const order of listed) yield { order_no: order.order_no, listed: order };
}

/** Orders of the gateway's answers that were not compared yet, each once. */
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

/** What was compared of a batch; `left` are orders of the period that the gateway cannot be asked about. */
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
  // Read after the gateway's books: what is new in between is young here, and no difference.
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

/** Whether nothing was ever sent for an order, by either book: a checkout without a payment. */
function isUntried({ order_no, listed }: Candidate, { orders, left }: Booked): boolean {
  const isListedSo = listed !== undefined && isUnpaid(listed) && listed.payment_method === undefined;
  return isListedSo && !left.has(order_no) && orders.get(order_no)?.payments.length === 0;
}

/** Of an order that cannot be asked about there is what the period's answer has. */
function gatewayOrderOf({ order_no, ofPeriod = [] }: Candidate, { orders, left }: Booked): GatewayOrder {
  const booked = orders.get(order_no);
  return booked && !left.has(order_no) ? booked : { payments: ofPeriod, refunds: [] };
}

/** An order as the relay has it now; undefined if it has none. */
async function orderOf(client: Client, orderNo: string): Promise<OrderWithTimeline | undefined> {
  // No path can hold such a number, so the relay has none.
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

/** A part of the period, in milliseconds, and how many records the gateway has of it. */
type Slice<Answer> = { answer: Answer; until: number };

/** So few records make the next slice longer, so many shorter: an answer must fit into memory, here and in the relay. */
const FEW = 500;
const MANY = 2000;

/**
 * Reads a period in slices, oldest first, as long as the gateway can answer at once. A slice whose answer comes not in time or
 * cannot be used is made shorter, and so is one with a round number of records: a gateway may give no more than so many.
 * A slice reaches a second beyond its ends, as the gateway counts whole seconds. Throws what the read throws, and CliError if even
 * a second has a round number of records.
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

/** Undefined if less may be answered. Throws what the read throws otherwise. */
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

/** Requests to the relay at once; each makes one query about one order, as often as the relay allows. */
const FIXES_AT_ONCE = 4;

/** The result for an order: the books agree now, still differ, or the gateway's answer proved nothing. */
export type Fixed = { order_no: string; result: 'agrees' | 'differs' | 'failed' };

/** Has the relay ask the gateway about orders now, and compares them again. Nothing else is written. Never throws. */
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
      // What is still unknown or cannot be asked of the gateway is no matter of this query.
      const left = compareOrder(order_no, relayOrderOf(order), gatewayOrder, io.now()).filter(canBeFixed);
      return { order_no, result: left.length === 0 ? 'agrees' : 'differs' };
    } catch (error) {
      if (error instanceof TurnpikeError) return { order_no, result: 'failed' };
      throw error;
    }
  });
}
