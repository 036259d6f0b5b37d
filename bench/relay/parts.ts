import { type Figures, type Load, payments, steady } from '../harness/measure.ts';
import { atLeast, atMost, type Row, type Target } from '../harness/report.ts';
import { addedP50, addedP99, compared, cpuRatio, middle } from '../harness/rounds.ts';

export const storeNames = ['sqlite', 'postgres'] as const;
export type StoreName = (typeof storeNames)[number];
export const storeTitles: Record<StoreName, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** The rounds of one store and of the baseline. */
type Measured = { own: readonly Figures[]; base: readonly Figures[] };

/** One load that is put on the relay with each store and, in turns, on a baseline, and what is aimed at. */
export type Part = {
  title: string;
  baseline: 'pass-through' | 'files';
  load: Load;
  targets(store: StoreName, measured: Measured): Target[];
};

/** The parts by the names that `--only` takes. */
export const parts = {
  busy: {
    title: '50 at once, gateway 0 ms',
    baseline: 'pass-through',
    load: payments(1500, 50),
    targets(store, { own, base }) {
      const title = storeTitles[store];
      const perSecond = middle(own, (figures) => figures.per_second);
      return [
        {
          ...atMost(`${title}: CPU of a payment, × pass-through`, compared(own, base, cpuRatio), 5),
          target: '≤ 4.5, done at ≤ 5',
        },
        ...databaseTargets(title, own),
        atLeast(`${title}: payments a second, 50 at once, gateway 0 ms`, perSecond, store === 'sqlite' ? 1800 : 1200),
      ];
    },
  },
  closed: {
    title: '50 at once, gateway 50 ms',
    baseline: 'pass-through',
    load: payments(800, 50, 50),
    targets: added('p99 added, 50 at once, gateway 50 ms', addedP99, { sqlite: 20, postgres: 30 }),
  },
  open: {
    title: 'steady 200 a second, gateway 50 ms',
    baseline: 'pass-through',
    load: steady(200, 4),
    targets: added('p99 added, steady 200 a second, gateway 50 ms', addedP99, { sqlite: 8, postgres: 12 }),
  },
  lone: {
    title: '1 at once, gateway 0 ms',
    baseline: 'pass-through',
    load: payments(200, 1),
    targets: added('p50 added, a lone payment', addedP50, { sqlite: 1, postgres: 2.5 }),
  },
  refund: {
    title: 'refunds, 50 at once, gateway 0 ms',
    baseline: 'pass-through',
    load: { kind: 'refund', count: 500, pace: { concurrency: 50 }, delay_ms: 0 },
    targets: (store, { own, base }) => [
      atMost(`${storeTitles[store]}: CPU of a refund, × pass-through`, compared(own, base, cpuRatio), 5),
    ],
  },
  checkout: {
    title: 'whole checkouts, 50 at once, gateway 0 ms',
    baseline: 'files',
    load: { kind: 'checkout', count: 400, pace: { concurrency: 50 }, delay_ms: 0 },
    targets: (store, { own, base }) => [
      atMost(`${storeTitles[store]}: CPU of a whole checkout, × static files`, compared(own, base, cpuRatio), 6),
    ],
  },
} satisfies Record<string, Part>;

/** What is added to the baseline, in milliseconds, and the most that is aimed at with each store. */
function added(title: string, figure: typeof addedP99, aims: Readonly<Record<StoreName, number>>): Part['targets'] {
  return (store, { own, base }) => [
    atMost(`${storeTitles[store]}: ${title}`, compared(own, base, figure), aims[store], ' ms'),
  ];
}

function databaseTargets(title: string, own: readonly Figures[]): Target[] {
  const ms = databaseUs(own) / 1000;
  return Number.isNaN(ms) ? [] : [atMost(`${title}: CPU of the server a payment`, ms, 0.6, ' ms')];
}

/** The line of one target: its own figures and, where it is not a baseline itself, those compared with its baseline. */
export function row(what: string, own: readonly Figures[], base?: readonly Figures[]): Row {
  const database = databaseUs(own);
  return {
    what,
    figures: {
      'CPU µs': middle(own, ({ cpu_us }) => cpu_us),
      ratio: base ? compared(own, base, cpuRatio) : 1,
      ...(Number.isNaN(database) ? {} : { 'PostgreSQL CPU µs': database }),
      'per s': middle(own, ({ per_second }) => per_second),
      'p50 ms': middle(own, ({ p50_ms }) => p50_ms),
      'p99 ms': middle(own, ({ p99_ms }) => p99_ms),
      ...(base ? { 'p50 added': compared(own, base, addedP50), 'p99 added': compared(own, base, addedP99) } : {}),
    },
  };
}

/** The CPU of the database's server in microseconds; NaN where it is not known. */
export function databaseUs(rounds: readonly Figures[]): number {
  return middle(rounds, ({ database_us }) => database_us ?? Number.NaN);
}
