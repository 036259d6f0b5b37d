import { join } from 'node:path';
import { startPostgres } from '../test/support/postgres.ts';
import { type Figures, type Load, startSurroundings, type Target } from './measure.ts';
import { median } from './micro.ts';
import { atMost, type Benchmark, type Row } from './report.ts';

/** Runs of each load, in turns with the baseline's, of which the median counts. */
const ROUNDS = 3;

const loads = {
  '50 at once, gateway 0 ms': { payments: 1500, concurrency: 50, delay_ms: 0 },
  '1 at once, gateway 0 ms': { payments: 250, concurrency: 1, delay_ms: 0 },
  '50 at once, gateway 50 ms': { payments: 800, concurrency: 50, delay_ms: 50 },
  '1 at once, gateway 50 ms': { payments: 20, concurrency: 1, delay_ms: 50 },
} satisfies Record<string, Load>;

type LoadName = keyof typeof loads;
const loadNames: readonly LoadName[] = [
  '50 at once, gateway 0 ms',
  '1 at once, gateway 0 ms',
  '50 at once, gateway 50 ms',
  '1 at once, gateway 50 ms',
];

const WARM_UP: Load = { payments: 2500, concurrency: 50, delay_ms: 0 };

/** What a payment through the relay costs, with each store, against a pass-through that does nothing. */
export const relay: Benchmark = async (say) => {
  const surroundings = await startSurroundings();
  const postgres = await startPostgres({ fsync: true });
  try {
    const sqlite = `sqlite:${join(surroundings.folder(), 'relay.db')}`;
    const targets: Record<string, Target> = {
      'pass-through (baseline)': await surroundings.passThrough(),
      'SQLite FULL': await surroundings.relay({ store: sqlite }),
      PostgreSQL: await surroundings.relay({ store: await postgres.database() }),
    };
    const [base = '', ...stores] = Object.keys(targets);
    say('warming up');
    for (const target of Object.values(targets)) await target.run(WARM_UP);

    const found = new Map<string, Figures>();
    for (const load of loadNames) {
      say(load);
      const runs = new Map<string, Figures[]>();
      for (let round = 0; round < ROUNDS; round++) {
        for (const [name, target] of Object.entries(targets)) {
          runs.set(name, [...(runs.get(name) ?? []), await target.run(loads[load])]);
        }
      }
      for (const [name, figures] of runs) found.set(`${name}, ${load}`, middle(figures));
    }
    say('with webhooks delivered');
    const delivering = await surroundings.relay({
      store: `sqlite:${join(surroundings.folder(), 'delivering.db')}`,
      webhooks: 'delivered',
    });
    await delivering.run(WARM_UP);
    const delivered = await delivering.run(loads['50 at once, gateway 0 ms']);

    const at = (name: string, load: LoadName): Figures => figuresOf(found, `${name}, ${load}`);
    const rows = [base, ...stores].flatMap((name) =>
      loadNames.map((load): Row => row(`${name}, ${load}`, at(name, load), at(base, load))),
    );
    const busy = at(base, '50 at once, gateway 0 ms');
    return {
      rows: [...rows, row('SQLite FULL, 50 at once, gateway 0 ms, webhooks delivered', delivered, busy)],
      targets: stores.flatMap((name) => [
        atMost(`${name}: CPU, × pass-through`, at(name, '50 at once, gateway 0 ms').cpu_us / busy.cpu_us, 3.5),
        atMost(
          `${name}: p99 added, 50 at once, gateway 50 ms`,
          at(name, '50 at once, gateway 50 ms').p99_ms - at(base, '50 at once, gateway 50 ms').p99_ms,
          5,
          ' ms',
        ),
        atMost(
          `${name}: p50 added, a lone payment`,
          at(name, '1 at once, gateway 0 ms').p50_ms - at(base, '1 at once, gateway 0 ms').p50_ms,
          1,
          ' ms',
        ),
      ]),
      notes: [
        'CPU is that of the relay’s process alone, of all its threads; PostgreSQL’s own is not in it.',
        'Each payment: session read, attempt and outcome on disk, limits counted, webhook in the outbox, metrics, log to a file.',
        'Unless the row says so no webhook is delivered: the receiver takes eight connections and never answers.',
        'With a gateway of 0 ms, 50 at once keep the relay busy all the time: their latency is the queue’s.',
      ],
    };
  } finally {
    await surroundings.stop();
    await postgres.close();
  }
};

function row(what: string, figures: Figures, base: Figures): Row {
  return {
    what,
    figures: {
      'CPU µs': figures.cpu_us,
      ratio: figures.cpu_us / base.cpu_us,
      'per s': figures.per_second,
      'p50 ms': figures.p50_ms,
      'p99 ms': figures.p99_ms,
    },
  };
}

function figuresOf(found: ReadonlyMap<string, Figures>, name: string): Figures {
  const figures = found.get(name);
  if (!figures) throw new TypeError(`nothing was measured of ${name}`);
  return figures;
}

function middle([first, ...rest]: readonly Figures[]): Figures {
  if (!first) throw new TypeError('no run');
  const of = (pick: (figures: Figures) => number): number => median([first, ...rest].map(pick));
  return {
    ...first,
    cpu_us: of(({ cpu_us }) => cpu_us),
    per_second: of(({ per_second }) => per_second),
    p50_ms: of(({ p50_ms }) => p50_ms),
    p99_ms: of(({ p99_ms }) => p99_ms),
  };
}
