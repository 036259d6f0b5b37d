import type { TestPostgres } from '../../test/support/stores/postgres.ts';
import { type Load, payments, type Surroundings, type Target } from '../harness/measure.ts';
import type { Say } from '../harness/report.ts';
import { newStore, type StoreName, storeTitles } from '../harness/stores.ts';
import type { RelayPart } from './parts.ts';

/** The minimum number of visits of a warm-up, because V8 keeps optimizing the code until then. */
const MIN_WARM_UP = { 'pass-through': 10_000, files: 5000, relay: 5000 };
const MAX_WARM_UP = 30_000;
const STEP = 2500;
/** The warm-up of refunds and checkouts, after that of payments, with which they share most of their code. */
const WARM_UP_OF_OTHERS = 1000;
/** A warm-up ends when a step needs at least this share of the CPU of the step before. */
const FLAT = 0.95;

/** The start options of targets. */
type Needs = { surroundings: Surroundings; postgres: TestPostgres | undefined; say: Say };

/** The started targets; `relays` are in the order of the stores. */
type Targets = {
  baselines: Record<RelayPart['baseline'], () => Target>;
  relays: readonly Target[];
  stop(): Promise<void>;
};

/** Starts the baselines that the parts need and a relay for each store, and warms them up. Without parts it starts nothing. */
export async function startTargets(
  { surroundings, postgres, say }: Needs,
  stores: readonly StoreName[],
  parts: readonly RelayPart[],
): Promise<Targets> {
  const baselines = new Map<RelayPart['baseline'], Target>();
  const relays: Target[] = [];
  for (const name of new Set(parts.map(({ baseline }) => baseline))) {
    const baseline = name === 'files' ? await surroundings.files() : await surroundings.passThrough();
    baselines.set(name, baseline);
    const load = name === 'files' ? { ...payments(STEP, 50), kind: 'checkout' as const } : payments(STEP, 50);
    await warmUp(baseline, load, MIN_WARM_UP[name], (line) => say(`warm-up of ${name}, ${line}`));
  }
  for (const store of parts.length > 0 ? stores : []) {
    const relay = await surroundings.relay(await newStore(store, surroundings, postgres));
    await warmUp(relay, payments(STEP, 50), MIN_WARM_UP.relay, (line) =>
      say(`warm-up with ${storeTitles[store]}, ${line}`),
    );
    relays.push(relay);
  }
  const started = (name: RelayPart['baseline']) => () => {
    const found = baselines.get(name);
    if (!found) throw new TypeError(`${name} was not started`);
    return found;
  };
  for (const { load, baseline, title } of parts) {
    if (load.kind === 'payment') continue;
    say(`warm-up of ${title}`);
    for (const target of [started(baseline)(), ...relays]) await target.run({ ...load, count: WARM_UP_OF_OTHERS });
  }
  return {
    baselines: { 'pass-through': started('pass-through'), files: started('files') },
    relays,
    stop: async () => void (await Promise.all([...baselines.values(), ...relays].map((target) => target.stop()))),
  };
}

/** Runs a load step by step until a visit needs no less CPU than in the step before. */
async function warmUp(target: Target, step: Load, min: number, say: Say): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let visits = STEP; visits <= MAX_WARM_UP; visits += STEP) {
    const { cpu_us } = await target.run(step);
    say(`${visits} visits: ${Math.round(cpu_us)} µs`);
    if (visits >= min && cpu_us >= before * FLAT) return;
    before = cpu_us;
  }
}
