import type { OrderWithTimeline, TimelineEntry } from '../../client/index.ts';
import { fromMinor, minorUnits } from '../../shared/gateway/amounts.ts';
import type { Money, RelayOrder, RelayRefund } from './compare/records.ts';

/** Converts the relay's answer about an order. */
export function relayOrderOf(order: OrderWithTimeline): RelayOrder {
  const { order_no, status, amount, currency, sessions, payments, timeline, truncated = false } = order;
  const sent = sessions
    .flatMap(({ attempts }) => attempts)
    .filter((attempt) => attempt.status !== 'not_sent')
    .sort((a, b) => a.started_at.localeCompare(b.started_at));
  const [first, last] = [sent[0], sent.at(-1)];
  const asked: Money[] = [...sessions, ...sent].map((one) => ({ amount: one.amount, currency: one.currency }));
  return {
    ...{ order_no, status, truncated },
    asked: [{ amount, currency }, ...asked.reverse()],
    payments: payments.map((one) => ({
      ...{ transaction_id: one.transaction_id, refunded: added(one.refunded, one.refund_undecided, one.currency) },
      ...{ amount: one.amount, currency: one.currency, status: one.status, isSettled: one.settled !== undefined },
    })),
    refunds: timeline.flatMap(refundsIn),
    reversed: new Set(timeline.flatMap(reversedIn)),
    contracts: new Set(sessions.flatMap(({ recurring_id }) => recurring_id ?? [])),
    ...(first && last ? { firstSentAt: first.started_at, lastSentAt: last.started_at } : {}),
  };
}

function added(one: string, other: string, currency: string): string {
  return fromMinor(minorUnits(one, currency) + minorUnits(other, currency), currency);
}

/**
 * Whether an order was created in a period, or has a message to or from the gateway in it. Times are in milliseconds.
 */
export function isOfPeriod({ created_at, sessions }: OrderWithTimeline, from: number, to: number): boolean {
  const moments = sessions.flatMap(({ attempts }) =>
    attempts.flatMap(({ started_at, settled_at }) => [started_at, settled_at ?? started_at]),
  );
  return [created_at, ...moments].map(Date.parse).some((at) => at >= from && at < to);
}

function refundsIn(entry: TimelineEntry): RelayRefund[] {
  if (entry.type !== 'operation' || entry.operation !== 'refund') return [];
  const at = entry.settled_at ?? entry.at;
  return entry.items.flatMap(({ outcome = 'unknown', request }): RelayRefund[] => {
    if (outcome === 'failed') return [];
    const [transaction_id, amount, currency] = [request.transaction_id, request.refund_amount, request.currency];
    return [
      { transaction_id: String(transaction_id), amount: String(amount), currency: String(currency), outcome, at },
    ];
  });
}

function reversedIn(entry: TimelineEntry): string[] {
  if (entry.type !== 'operation' || (entry.operation !== 'cancel' && entry.operation !== 'review')) return [];
  return entry.items.flatMap(({ outcome, request }) => (outcome === 'failed' ? [] : [String(request.transaction_id)]));
}

/**
 * Runs work on the entries, several at once, and yields the results in the order of the entries. The first error ends
 * it.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // Its error is handled when it is awaited.
    result.catch(() => undefined);
    running.push(result);
    const first = running.length === atOnce ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of running) yield await result;
}

/** Yields the entries in chunks of this size. */
export async function* chunksOf<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  size: number,
): AsyncGenerator<Item[], void, undefined> {
  let chunk: Item[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
