import type { StatsFigures, StatsOutcome } from '../../../shared/api/stats.ts';
import { fromMinor, minorUnits } from '../../../shared/gateway/amounts.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { bucketOf, countIn, type Histogram, percentilesOf } from './histogram.ts';
import type { CountedRefund } from './search.ts';

/** More codes than a gateway has; what is counted beyond that is told in `declined` alone. */
const MAX_CODES = 50;

type Sum = { count: number; amount: bigint };
type Tried = { payments: number; approved: number; declined: number };

/** What is counted of an attempt. */
type CountedPayment = {
  outcome: StatsOutcome;
  method: string;
  currency: string;
  /** Of an approved one, in minor units. */
  paid?: bigint;
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
    currency,
    ...(state.status === 'approved' ? { paid: minorUnits(amount, currency) } : {}),
    ...(state.status === 'declined' ? { declineCode: state.result.code } : {}),
    ...(settled_at !== undefined && isAnswered(state)
      ? { latencyMs: Math.max(0, Date.parse(settled_at) - Date.parse(started_at)) }
      : {}),
  };
}

/** A tally as a store keeps it, in JSON: by currency. Amounts are in minor units. */
export type StoredTally = Record<
  string,
  {
    outcomes: Partial<Record<StatsOutcome, number>>;
    methods: [method: string, payments: number, approved: number, declined: number][];
    approved: StoredSum;
    codes: [code: string, count: number][];
    refunds: StoredSum;
    latency: [bucket: number, count: number][];
  }
>;
type StoredSum = [count: number, amount: string];

/** Counts and sums of payments and refunds. */
export type Tally = {
  addPayment(payment: CountedPayment): void;
  addRefund(refund: CountedRefund): void;
  /** Adds what was counted before: of one currency, or of all. */
  add(stored: StoredTally, currency?: string): void;
  figures(): StatsFigures;
  /** Undefined where nothing was counted. */
  stored(): StoredTally | undefined;
};

/** What is counted in one currency. */
type Counts = {
  outcomes: Record<StatsOutcome, number>;
  methods: Map<string, Tried>;
  approved: Sum;
  codes: Map<string, number>;
  refunds: Sum;
  latency: Histogram;
};

/** A tally of nothing yet. */
export function createTally(): Tally {
  const currencies = new Map<string, Counts>();
  const of = (currency: string): Counts => known(currencies, currency, noCounts);
  return {
    addPayment({ outcome, method, currency, paid, declineCode, latencyMs }) {
      const counts = of(currency);
      counts.outcomes[outcome] += 1;
      const tried = known(counts.methods, method, noneTried);
      tried.payments += 1;
      if (outcome === 'approved' || outcome === 'declined') tried[outcome] += 1;
      if (paid !== undefined) addTo(counts.approved, 1, paid);
      if (declineCode !== undefined) counts.codes.set(declineCode, (counts.codes.get(declineCode) ?? 0) + 1);
      if (latencyMs !== undefined) countIn(counts.latency, bucketOf(latencyMs), 1);
    },
    addRefund: ({ currency, amount }) => addTo(of(currency).refunds, 1, amount),
    add(stored, only) {
      for (const [currency, counts] of Object.entries(stored)) {
        if (only === undefined || only === currency) addStored(of(currency), counts);
      }
    },
    figures: () => figuresOf(currencies),
    stored: () =>
      currencies.size === 0
        ? undefined
        : Object.fromEntries([...currencies].map(([currency, counts]) => [currency, storedOf(counts)])),
  };
}

function noCounts(): Counts {
  return {
    outcomes: {
      ...{ approved: 0, declined: 0, refused: 0, not_paid: 0 },
      ...{ in_flight: 0, redirected: 0, pending: 0, unknown: 0 },
    },
    methods: new Map(),
    approved: { count: 0, amount: 0n },
    codes: new Map(),
    refunds: { count: 0, amount: 0n },
    latency: new Map(),
  };
}

const noneTried = (): Tried => ({ payments: 0, approved: 0, declined: 0 });

const statesOf = ({ outcomes }: Counts): [StatsOutcome, number][] => [
  ['approved', outcomes.approved],
  ['declined', outcomes.declined],
  ['refused', outcomes.refused],
  ['not_paid', outcomes.not_paid],
  ['in_flight', outcomes.in_flight],
  ['redirected', outcomes.redirected],
  ['pending', outcomes.pending],
  ['unknown', outcomes.unknown],
];

function storedOf(counts: Counts): StoredTally[string] {
  const sum = ({ count, amount }: Sum): StoredSum => [count, String(amount)];
  return {
    outcomes: Object.fromEntries(statesOf(counts).filter(([, count]) => count > 0)),
    methods: [...counts.methods].map(([name, { payments, approved, declined }]) => [
      name,
      payments,
      approved,
      declined,
    ]),
    approved: sum(counts.approved),
    codes: [...counts.codes],
    refunds: sum(counts.refunds),
    latency: [...counts.latency],
  };
}

function addStored(counts: Counts, stored: StoredTally[string]): void {
  for (const [outcome, before] of statesOf(counts)) {
    counts.outcomes[outcome] = before + (stored.outcomes[outcome] ?? 0);
  }
  for (const [name, payments, approved, declined] of stored.methods) {
    addTried(known(counts.methods, name, noneTried), { payments, approved, declined });
  }
  for (const [code, count] of stored.codes) counts.codes.set(code, (counts.codes.get(code) ?? 0) + count);
  for (const [bucket, count] of stored.latency) countIn(counts.latency, bucket, count);
  addTo(counts.approved, stored.approved[0], BigInt(stored.approved[1]));
  addTo(counts.refunds, stored.refunds[0], BigInt(stored.refunds[1]));
}

function figuresOf(currencies: ReadonlyMap<string, Counts>): StatsFigures {
  const all = noCounts();
  for (const counts of currencies.values()) addStored(all, storedOf(counts));
  const sums = (of: (counts: Counts) => Sum): StatsFigures['approved'] =>
    [...currencies]
      .map(([currency, counts]) => ({ currency, ...of(counts) }))
      .filter(({ count }) => count > 0)
      .map(({ currency, count, amount }) => ({ currency, count, amount: fromMinor(amount, currency) }))
      .toSorted((a, b) => b.count - a.count || compare(a.currency, b.currency));
  const latency = percentilesOf(all.latency);
  return {
    payments: Object.values(all.outcomes).reduce((sum, count) => sum + count, 0),
    outcomes: all.outcomes,
    ...rateOf(all.outcomes),
    approved: sums(({ approved }) => approved),
    methods: [...all.methods]
      .map(([payment_method, tried]) => ({ payment_method, ...tried, ...rateOf(tried) }))
      .toSorted((a, b) => b.payments - a.payments || compare(a.payment_method, b.payment_method)),
    decline_codes: [...all.codes]
      .map(([code, count]) => ({ code, count }))
      .toSorted((a, b) => b.count - a.count || compare(a.code, b.code))
      .slice(0, MAX_CODES),
    refunds: sums(({ refunds }) => refunds),
    ...(latency ? { latency } : {}),
  };
}

/** True where the gateway's own answer told what became of an attempt: only that has a result, or says so. */
function isAnswered(state: Attempt['state']): boolean {
  return state.status === 'approved'
    ? state.result !== undefined
    : state.status === 'declined' && state.proof !== 'record';
}

function addTo(sum: Sum, count: number, amount: bigint): void {
  sum.count += count;
  sum.amount += amount;
}

function addTried(tried: Tried, { payments, approved, declined }: Tried): void {
  tried.payments += payments;
  tried.approved += approved;
  tried.declined += declined;
}

function known<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key);
  if (value !== undefined) return value;
  const made = make();
  values.set(key, made);
  return made;
}

function rateOf({ approved, declined }: { approved: number; declined: number }): { approval_rate?: number } {
  const decided = approved + declined;
  return decided === 0 ? {} : { approval_rate: Math.round((approved / decided) * 10_000) / 10_000 };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
