import type { StatsFigures, StatsOutcome } from '../../../shared/api/stats.ts';
import { fromMinor, minorUnits } from '../../../shared/gateway/amounts.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { bucketOf, type Histogram, percentilesOf } from './histogram.ts';

/** The maximum number of decline codes, more than a gateway has. Further declines count in `declined` only. */
const MAX_CODES = 50;

/** The amount in minor units, as a string in JSON. */
type StoredSum = [count: number, amount: string | bigint];

/** The counts in one currency. */
type StoredCounts = {
  outcomes: Record<string, number>;
  methods: [method: string, payments: number, approved: number, declined: number][];
  approved: StoredSum;
  codes: [code: string, count: number][];
  refunds: StoredSum;
  gross: StoredSum;
  net: StoredSum;
  renewals: StoredSum;
  reversed: StoredSum;
  latency: [bucket: number, count: number][];
};

/** The counts by currency: all of them as a store keeps them in JSON, or those of one payment or some refunds. */
export type Counted = Record<string, Partial<StoredCounts>>;

/** The sums in minor units. */
const sumKinds = ['approved', 'refunds', 'gross', 'net', 'renewals', 'reversed'] as const;
type SumKind = (typeof sumKinds)[number];

/** The counts of an attempt; none if nothing was sent. */
export function countedOf({ state, method, amount, currency, started_at, settled_at }: Attempt): Counted {
  if (state.status === 'not_sent') return {};
  const counted: Partial<StoredCounts> = {
    outcomes: { [state.status]: 1 },
    methods: [[method, 1, Number(state.status === 'approved'), Number(state.status === 'declined')]],
  };
  if (state.status === 'approved') counted.approved = [1, minorUnits(amount, currency)];
  if (state.status === 'declined') counted.codes = [[state.result.code, 1]];
  if (settled_at !== undefined && isAnswered(state)) {
    counted.latency = [[bucketOf(Math.max(0, Date.parse(settled_at) - Date.parse(started_at))), 1]];
  }
  return { [currency]: counted };
}

/** True if the gateway's own answer decided the attempt: only such an answer has a result and proves a decline. */
function isAnswered(state: Attempt['state']): boolean {
  return state.status === 'approved'
    ? state.result !== undefined
    : state.status === 'declined' && state.proof !== 'record';
}

/** Counts and sums of payments and refunds. */
export type Tally = {
  /** Adds counts, in one currency or in all. */
  add(counted: Counted, currency?: string): void;
  figures(): StatsFigures;
  stored(): Counted;
};

type Sum = { count: number; amount: bigint };
type Tried = { payments: number; approved: number; declined: number };
type Counts = {
  outcomes: Map<string, number>;
  methods: Map<string, Tried>;
  approved: Sum;
  codes: Map<string, number>;
  refunds: Sum;
  gross: Sum;
  net: Sum;
  renewals: Sum;
  reversed: Sum;
  latency: Histogram;
};

/** A tally without counts. */
export function createTally(): Tally {
  const currencies = new Map<string, Counts>();
  return {
    add(counted, only) {
      for (const [currency, counts] of Object.entries(counted)) {
        if (only === undefined || only === currency) addTo(known(currencies, currency, noCounts), counts);
      }
    },
    figures: () => figuresOf(currencies),
    stored: () => Object.fromEntries([...currencies].map(([currency, counts]) => [currency, storedOf(counts)])),
  };
}

function noCounts(): Counts {
  return {
    outcomes: new Map(),
    methods: new Map(),
    approved: { count: 0, amount: 0n },
    codes: new Map(),
    refunds: { count: 0, amount: 0n },
    gross: { count: 0, amount: 0n },
    net: { count: 0, amount: 0n },
    renewals: { count: 0, amount: 0n },
    reversed: { count: 0, amount: 0n },
    latency: new Map(),
  };
}

function addTo(counts: Counts, added: Partial<StoredCounts>): void {
  const { outcomes = {}, methods = [], codes = [], latency = [] } = added;
  for (const [outcome, count] of Object.entries(outcomes)) countIn(counts.outcomes, outcome, count);
  for (const [name, payments, approved, declined] of methods) {
    const tried = known(counts.methods, name, () => ({ payments: 0, approved: 0, declined: 0 }));
    tried.payments += payments;
    tried.approved += approved;
    tried.declined += declined;
  }
  for (const [code, count] of codes) countIn(counts.codes, code, count);
  for (const [bucket, count] of latency) countIn(counts.latency, bucket, count);
  for (const kind of sumKinds) {
    const sum = added[kind];
    if (sum) addSum(counts[kind], sum);
  }
}

function addSum(sum: Sum, [count, amount]: StoredSum): void {
  sum.count += count;
  sum.amount += BigInt(amount);
}

function storedOf({ outcomes, methods, codes, latency, ...sums }: Counts): StoredCounts {
  const stored = ({ count, amount }: Sum): StoredSum => [count, String(amount)];
  const { approved, refunds, gross, net, renewals, reversed } = sums;
  return {
    outcomes: Object.fromEntries(outcomes),
    methods: [...methods].map(([name, { payments, approved, declined }]) => [name, payments, approved, declined]),
    approved: stored(approved),
    codes: [...codes],
    refunds: stored(refunds),
    gross: stored(gross),
    net: stored(net),
    renewals: stored(renewals),
    reversed: stored(reversed),
    latency: [...latency],
  };
}

function figuresOf(currencies: ReadonlyMap<string, Counts>): StatsFigures {
  const all = noCounts();
  for (const counts of currencies.values()) addTo(all, storedOf(counts));
  const sums = (kind: SumKind): StatsFigures['approved'] =>
    [...currencies]
      .map(([currency, counts]) => ({ currency, ...counts[kind] }))
      .filter(({ count }) => count > 0)
      .map(({ currency, count, amount }) => ({ currency, count, amount: fromMinor(amount, currency) }))
      .toSorted((a, b) => b.count - a.count || compare(a.currency, b.currency));
  const latency = percentilesOf(all.latency);
  const count = (outcome: StatsOutcome): number => all.outcomes.get(outcome) ?? 0;
  const outcomes = {
    ...{ approved: count('approved'), declined: count('declined'), refused: count('refused') },
    ...{ not_paid: count('not_paid'), in_flight: count('in_flight'), redirected: count('redirected') },
    ...{ pending: count('pending'), unknown: count('unknown') },
  };
  return {
    payments: Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    outcomes,
    ...rateOf(outcomes),
    approved: sums('approved'),
    methods: [...all.methods]
      .map(([payment_method, tried]) => ({ payment_method, ...tried, ...rateOf(tried) }))
      .toSorted((a, b) => b.payments - a.payments || compare(a.payment_method, b.payment_method)),
    decline_codes: [...all.codes]
      .map(([code, count]) => ({ code, count }))
      .toSorted((a, b) => b.count - a.count || compare(a.code, b.code))
      .slice(0, MAX_CODES),
    gross: sums('gross'),
    net: sums('net'),
    renewals: sums('renewals'),
    reversed: sums('reversed').map((sum) => ({ ...sum, rate: shareOf(currencies.get(sum.currency), 'amount') })),
    ...(all.gross.count === 0 ? {} : { chargeback_rate: shareOf(all, 'count') }),
    refunds: sums('refunds'),
    ...(latency ? { latency } : {}),
  };
}

function countIn<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function known<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

function rateOf({ approved, declined }: { approved: number; declined: number }): { approval_rate?: number } {
  const decided = approved + declined;
  return decided === 0 ? {} : { approval_rate: Math.round((approved / decided) * 10_000) / 10_000 };
}

/** The share of reversed payments among all, by number or by amount, with four decimals. */
function shareOf(counts: Pick<Counts, 'gross' | 'reversed'> | undefined, of: 'count' | 'amount'): number {
  const [part, whole] = [Number(counts?.reversed[of] ?? 0), Number(counts?.gross[of] ?? 0)];
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
