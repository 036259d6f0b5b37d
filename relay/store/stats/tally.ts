import type { StatsFigures, StatsOutcome } from '../../../shared/api/stats.ts';
import { fromMinor, toMinor } from '../../../shared/gateway/amounts.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { CountedRefund } from './search.ts';

/** More codes than a gateway has; what a store holds beyond that is counted in `declined` alone. */
const MAX_CODES = 50;

type Sum = { count: number; amount: bigint };
type Tried = { payments: number; approved: number; declined: number };

/** What is counted of an attempt. */
export type CountedPayment = {
  outcome: StatsOutcome;
  method: string;
  /** Of an approved one, in minor units. */
  paid?: { currency: string; amount: bigint };
  declineCode?: string;
  latencyMs?: number;
};

/** What is counted of an attempt; undefined for one of which nothing was sent. */
export function countedPayment(attempt: Attempt): CountedPayment | undefined {
  const { state, method, amount, currency, started_at, settled_at } = attempt;
  if (state.status === 'not_sent') return undefined;
  return {
    outcome: state.status,
    method,
    ...(state.status === 'approved' ? { paid: { currency, amount: minorUnits(amount, currency) } } : {}),
    ...(state.status === 'declined' ? { declineCode: state.result.code } : {}),
    ...(settled_at !== undefined && isAnswered(state)
      ? { latencyMs: Math.max(0, Date.parse(settled_at) - Date.parse(started_at)) }
      : {}),
  };
}

/** Counts and sums of payments and refunds. */
export type Tally = {
  addPayment(payment: CountedPayment): void;
  addRefund(refund: CountedRefund): void;
  figures(): StatsFigures;
};

/** A tally of nothing yet. */
export function createTally(): Tally {
  const outcomes: Record<StatsOutcome, number> = {
    ...{ approved: 0, declined: 0, refused: 0, not_paid: 0 },
    ...{ in_flight: 0, redirected: 0, pending: 0, unknown: 0 },
  };
  const approved = new Map<string, Sum>();
  const refunds = new Map<string, Sum>();
  const methods = new Map<string, Tried>();
  const codes = new Map<string, number>();
  const latencies: number[] = [];
  return {
    addPayment({ outcome, method, paid, declineCode, latencyMs }) {
      outcomes[outcome] += 1;
      const tried = known(methods, method, () => ({ payments: 0, approved: 0, declined: 0 }));
      tried.payments += 1;
      if (outcome === 'approved' || outcome === 'declined') tried[outcome] += 1;
      if (paid) add(approved, paid.currency, paid.amount);
      if (declineCode !== undefined) codes.set(declineCode, (codes.get(declineCode) ?? 0) + 1);
      if (latencyMs !== undefined) latencies.push(latencyMs);
    },
    addRefund: ({ currency, amount }) => add(refunds, currency, amount),
    figures() {
      const latency = latencyOf(latencies);
      return {
        payments: Object.values(outcomes).reduce((all, count) => all + count, 0),
        outcomes: { ...outcomes },
        ...rateOf(outcomes),
        approved: sumsOf(approved),
        methods: [...methods]
          .map(([payment_method, tried]) => ({ payment_method, ...tried, ...rateOf(tried) }))
          .toSorted((a, b) => b.payments - a.payments || compare(a.payment_method, b.payment_method)),
        decline_codes: [...codes]
          .map(([code, count]) => ({ code, count }))
          .toSorted((a, b) => b.count - a.count || compare(a.code, b.code))
          .slice(0, MAX_CODES),
        refunds: sumsOf(refunds),
        ...(latency ? { latency } : {}),
      };
    },
  };
}

/** True where the gateway's own answer told what became of an attempt: only that has a result, or says so. */
function isAnswered(state: Attempt['state']): boolean {
  return state.status === 'approved'
    ? state.result !== undefined
    : state.status === 'declined' && state.proof === 'answer';
}

/** An amount in minor units; none of what is no amount of its currency. */
function minorUnits(amount: string, currency: string): bigint {
  try {
    return toMinor(amount, currency);
  } catch (error) {
    if (error instanceof RangeError) return 0n;
    throw error;
  }
}

function add(sums: Map<string, Sum>, currency: string, amount: bigint): void {
  const sum = known(sums, currency, () => ({ count: 0, amount: 0n }));
  sum.count += 1;
  sum.amount += amount;
}

function known<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key);
  if (value !== undefined) return value;
  const made = make();
  values.set(key, made);
  return made;
}

function sumsOf(sums: ReadonlyMap<string, Sum>): StatsFigures['approved'] {
  return [...sums]
    .map(([currency, { count, amount }]) => ({ currency, count, amount: fromMinor(amount, currency) }))
    .toSorted((a, b) => b.count - a.count || compare(a.currency, b.currency));
}

function rateOf({ approved, declined }: { approved: number; declined: number }): { approval_rate?: number } {
  const decided = approved + declined;
  return decided === 0 ? {} : { approval_rate: Math.round((approved / decided) * 10_000) / 10_000 };
}

/** The least time within which so many of a hundred answers came. */
function latencyOf(latencies: readonly number[]): StatsFigures['latency'] {
  if (latencies.length === 0) return undefined;
  const sorted = Float64Array.from(latencies).sort();
  const percentile = (percent: number): number => sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0;
  return { answers: sorted.length, p50_ms: percentile(50), p95_ms: percentile(95), p99_ms: percentile(99) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
