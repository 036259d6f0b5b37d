import { type Figures, type Load, payments, steady } from '../harness/measure.ts';
import { type Aim, atLeast, atMost, type Row } from '../harness/report.ts';
import { addedP50, addedP99, compared, cpuRatio, databaseUs, medianOf } from '../harness/rounds.ts';
import { type StoreName, storeTitles } from '../harness/stores.ts';

/** The rounds of the relay with one store, and those of the baseline. */
type PartFigures = { own: readonly Figures[]; base: readonly Figures[] };

/** One load, measured in turns on a baseline and on the relay with each store, and its aims. */
export type RelayPart = {
  title: string;
  baseline: 'pass-through' | 'files';
  load: Load;
  aims(store: StoreName, figures: PartFigures): Aim[];
};

/** The parts by the names that `--only` takes. */
export const parts = {
  busy: {
    title: '50 at once, gateway 0 ms',
    baseline: 'pass-through',
    load: payments(1500, 50),
    aims(store, { own, base }) {
      const title = storeTitles[store];
      const perSecond = medianOf(own, (figures) => figures.per_second);
      return [
        {
          ...atMost(`${title}: CPU of a payment, × pass-through`, compared(own, base, cpuRatio), 5),
          target: '≤ 4.5, done at ≤ 5',
        },
        ...databaseAims(title, own),
        atLeast(`${title}: payments a second, 50 at once, gateway 0 ms`, perSecond, store === 'sqlite' ? 1800 : 1200),
      ];
    },
  },
  closed: {
    title: '50 at once, gateway 50 ms',
    baseline: 'pass-through',
    load: payments(800, 50, 50),
    aims: added('p99 added, 50 at once, gateway 50 ms', addedP99, { sqlite: 20, postgres: 30 }),
  },
  open: {
    title: 'steady 200 a second, gateway 50 ms',
    baseline: 'pass-through',
    load: steady(200, 4),
    aims: added('p99 added, steady 200 a second, gateway 50 ms', addedP99, { sqlite: 8, postgres: 12 }),
  },
  lone: {
    title: '1 at once, gateway 0 ms',
    baseline: 'pass-through',
    load: payments(200, 1),
    aims: added('p50 added, a lone payment', addedP50, { sqlite: 1, postgres: 2.5 }),
  },
  refund: {
    title: 'refunds, 50 at once, gateway 0 ms',
    baseline: 'pass-through',
    load: { kind: 'refund', count: 500, pace: { concurrency: 50 }, delay_ms: 0 },
    aims: (store, { own, base }) => [
      atMost(`${storeTitles[store]}: CPU of a refund, × pass-through`, compared(own, base, cpuRatio), 5),
    ],
  },
  checkout: {
    title: 'whole checkouts, 50 at once, gateway 0 ms',
    baseline: 'files',
    load: { kind: 'checkout', count: 400, pace: { concurrency: 50 }, delay_ms: 0 },
    aims: (store, { own, base }) => [
      atMost(`${storeTitles[store]}: CPU of a whole checkout, × static files`, compared(own, base, cpuRatio), 6),
    ],
  },
} satisfies Record<string, RelayPart>;

/** Aims for the milliseconds that the relay adds to the baseline, at most `limits` with each store. */
function added(title: string, figure: typeof addedP99, limits: Readonly<Record<StoreName, number>>): RelayPart['aims'] {
  return (store, { own, base }) => [
    atMost(`${storeTitles[store]}: ${title}`, compared(own, base, figure), limits[store], ' ms'),
  ];
}

/** The aim for the CPU of the database server, if that is known. */
function databaseAims(title: string, own: readonly Figures[]): Aim[] {
  const ms = databaseUs(own) / 1000;
  return Number.isNaN(ms) ? [] : [atMost(`${title}: CPU of the server a payment`, ms, 0.6, ' ms')];
}

/** The row of the relay or of a baseline: its figures and, if `base` is given, those compared with the baseline. */
export function relayRow(what: string, own: readonly Figures[], base?: readonly Figures[]): Row {
  const database = databaseUs(own);
  return {
    what,
    figures: {
      'CPU µs': medianOf(own, ({ cpu_us }) => cpu_us),
      ratio: base ? compared(own, base, cpuRatio) : 1,
      ...(Number.isNaN(database) ? {} : { 'PostgreSQL CPU µs': database }),
      'per s': medianOf(own, ({ per_second }) => per_second),
      'p50 ms': medianOf(own, ({ p50_ms }) => p50_ms),
      'p99 ms': medianOf(own, ({ p99_ms }) => p99_ms),
      ...(base ? { 'p50 added': compared(own, base, addedP50), 'p99 added': compared(own, base, addedP99) } : {}),
    },
  };
}
