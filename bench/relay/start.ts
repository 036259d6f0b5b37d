import { join } from 'node:path';
import type { TestPostgres } from '../../test/support/stores/postgres.ts';
import { type Load, payments, type RelayOptions, type Surroundings, type Target } from '../harness/measure.ts';
import { postgresCpu } from '../harness/postgres-cpu.ts';
import { type Part, type StoreName, storeTitles } from './parts.ts';

/** The fewest visits of a warm-up: the engine compiles the hot path again and again until then. */
const MIN_WARM_UP = { 'pass-through': 10_000, files: 5000, relay: 5000 };
const MAX_WARM_UP = 30_000;
const STEP = 2500;
/** Refunds and checkouts after that: they share most of their code with payments. */
const WARM_UP_OF_OTHERS = 1000;
/** CPU is flat when a step costs no less than this share of the step before. */
const FLAT = 0.95;

type Say = (line: string) => void;
type Around = { surroundings: Surroundings; postgres: TestPostgres | undefined; say: Say };

/** What is measured: `relays` in the order of the stores. */
type Started = {
  baselines: Record<Part['baseline'], () => Target>;
  relays: readonly Target[];
  stop(): Promise<void>;
};

/** Starts the baselines that the parts need and a relay for each store, all of them warm. Without parts nothing is started. */
export async function startTargets(
  { surroundings, postgres, say }: Around,
  stores: readonly StoreName[],
  parts: readonly Part[],
): Promise<Started> {
  const baselines = new Map<Part['baseline'], Target>();
  const relays: Target[] = [];
  for (const name of new Set(parts.map(({ baseline }) => baseline))) {
    const baseline = name === 'files' ? await surroundings.files() : await surroundings.passThrough();
    baselines.set(name, baseline);
    const load = name === 'files' ? { ...payments(STEP, 50), kind: 'checkout' as const } : payments(STEP, 50);
    await warmUp(baseline, load, MIN_WARM_UP[name], (line) => say(`warm-up of ${name}, ${line}`));
  }
  for (const store of parts.length > 0 ? stores : []) {
    const relay = await surroundings.relay(await storeOptions(store, surroundings, postgres));
    const tell = (line: string): void => say(`warm-up with ${storeTitles[store]}, ${line}`);
    await warmUp(relay, payments(STEP, 50), MIN_WARM_UP.relay, tell);
    relays.push(relay);
  }
  const started = (name: Part['baseline']) => () => {
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

/** How a relay is started on a new store of a kind. */
export async function storeOptions(
  store: StoreName,
  surroundings: Surroundings,
  postgres: TestPostgres | undefined,
): Promise<RelayOptions> {
  if (store === 'sqlite' || !postgres) return { store: `sqlite:${join(surroundings.folder(), 'relay.db')}` };
  const address = await postgres.database();
  return { store: address, databaseCpu: await postgresCpu(postgres, address) };
}

/** Puts a load on a target, step by step, until a visit costs no less than in the step before. */
async function warmUp(target: Target, step: Load, min: number, say: Say): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let made = STEP; made <= MAX_WARM_UP; made += STEP) {
    const { cpu_us } = await target.run(step);
    say(`${made} visits: ${Math.round(cpu_us)} µs`);
    if (made >= min && cpu_us >= before * FLAT) return;
    before = cpu_us;
  }
}
