import type { Config } from '../../relay/config/load.ts';
import type { Signer } from '../../relay/gateway/signing/signer.ts';
import { openFile, sqliteStore } from '../../relay/store/sqlite/open.ts';
import type { Store } from '../../relay/store/store.ts';
import { finalBreaches } from './invariants/final-state.ts';
import { watchTries } from './invariants/notifications/tries.ts';
import { watchEarlierRefunds } from './invariants/operations/earlier-refunds.ts';
import { watchEffects } from './invariants/operations/effects.ts';
import { watchItems } from './invariants/operations/items.ts';
import { watchLedger } from './invariants/operations/ledger.ts';
import { watchOrderActions } from './invariants/operations/order-actions.ts';
import { watchPayouts } from './invariants/operations/payouts.ts';
import { watchReferences } from './invariants/operations/references.ts';
import { watchSearched } from './invariants/operations/searched.ts';
import { watchShown } from './invariants/operations/shown.ts';
import { watchAbsence, watchSignedApprovals } from './invariants/payments/absence.ts';
import { watchAway } from './invariants/payments/away.ts';
import { watchChanges } from './invariants/payments/changes.ts';
import { watchContracts } from './invariants/payments/contracts.ts';
import { watchCredit } from './invariants/payments/credit.ts';
import { watchDeclines } from './invariants/payments/declines.ts';
import { freeAll } from './invariants/payments/free.ts';
import { watchGivenUp } from './invariants/payments/given-up.ts';
import { watchHolding } from './invariants/payments/holding.ts';
import { watchOnce } from './invariants/payments/once.ts';
import { watchProof } from './invariants/payments/proof.ts';
import { watchReady } from './invariants/payments/ready.ts';
import { watchReports } from './invariants/payments/reports.ts';
import { watchReturns } from './invariants/payments/returns.ts';
import { watchSending } from './invariants/payments/sending.ts';
import { watchUnpaid } from './invariants/payments/unpaid.ts';
import { watchBudget } from './invariants/queries/budget.ts';
import { watchClocks } from './invariants/queries/clocks.ts';
import { watchLimits } from './invariants/queries/limits.ts';
import { watchNotified } from './invariants/queries/notified.ts';
import { createQueryLog } from './invariants/queries/query-log.ts';
import { watchAccess } from './invariants/requests/access.ts';
import { watchFairness } from './invariants/requests/fairness.ts';
import { watchKeys } from './invariants/requests/keys.ts';
import { watchPaused } from './invariants/requests/paused.ts';
import { watchPrompt } from './invariants/requests/prompt.ts';
import { watchUnsent } from './invariants/requests/unsent.ts';
import { watchWaiting } from './invariants/requests/waiting.ts';
import { describeStep, type History } from './steps.ts';
import { createAct } from './world/act.ts';
import type { Clock } from './world/clock.ts';
import { failingCommits } from './world/failing-commits.ts';
import { isPayment } from './world/gateway/payments.ts';
import { dealWithFailed, readKept } from './world/people/failed-events.ts';
import { createScene, type Scene } from './world/scene.ts';
import type { Breach, Invariant } from './world/world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The times without steps at the end of a history. The next one follows if the state is not final yet. */
const RESTS_MS = [10 * MINUTE_MS, 3 * 60 * MINUTE_MS, DAY_MS, 4 * DAY_MS, 9 * DAY_MS, 20 * DAY_MS];

/**
 * Invariants that do not hold after a clock was wrong by days. Such a clock ends periods early, and payments seem older
 * than their attempts, so a person may be needed. Money is safe nevertheless.
 */
const byRightClocks: ReadonlySet<Invariant> = new Set([
  'every charge is reported',
  'every later charge is reported',
  'a notification is followed',
  'no false decline',
  'a refund ends as a search tells',
  'what searches tell needs no person',
  'the gateway’s changes are reported',
]);

/** The parts that all histories share. */
export type Setting = { clock: Clock; config: Config; signer: Signer; ignored: ReadonlySet<Invariant> };

/** The result of a history. `hash`: the hash of its trace. */
export type Result = { payments: number; calls: number; hash: string; breach?: Breach };

/** Plays a history to its end, or to the first breach of an invariant. `tell` receives each line of the trace. */
export async function play(setting: Setting, history: History, tell?: (line: string) => void): Promise<Result> {
  const { clock, config, signer } = setting;
  const { seed, relays, variant = {}, steps } = history;
  const file = openFile(':memory:');
  const store = sqliteStore(file, { orders: 0 });
  // A single relay caches orders. The cache is empty when the relay starts again.
  const openStore = (): Store => (relays === 1 ? sqliteStore(file) : store);
  const scene = createScene({
    ...{ clock, seed, relays, variant, signer, store, openStore, failing: failingCommits(file) },
    config,
    ...(tell ? { tell } : {}),
  });
  const counts = { payments: 0, calls: 0 };
  scene.gateway.watch({
    sent({ name }) {
      counts.calls += 1;
      if (isPayment(name)) counts.payments += 1;
    },
  });
  try {
    const breach = await playSteps(scene, steps, setting);
    return { ...counts, hash: scene.world.hash(), ...(breach ? { breach } : {}) };
  } finally {
    scene.relays.stop();
    await clock.advance(clock.now());
    await store.close();
  }
}

/** Lets `ms` pass. Each week people of shops read the stored events, before retention deletes them. */
async function passTime(scene: Scene, ms: number): Promise<void> {
  const { clock } = scene.world;
  for (let left = ms; left >= 0; left -= 7 * DAY_MS) {
    await clock.advance(clock.now() + Math.min(left, 7 * DAY_MS));
    await readKept(scene);
  }
}

async function playSteps(scene: Scene, steps: History['steps'], { ignored }: Setting): Promise<Breach | undefined> {
  const { world, relays, gateway, settings, shop } = scene;
  const { clock } = world;
  const log = createQueryLog(scene);
  watchGivenUp(scene, log);
  watchSending(scene, log);
  watchReports(scene, log);
  watchAbsence(scene, log);
  watchSignedApprovals(scene, log);
  watchDeclines(scene, log);
  watchUnpaid(scene, log);
  watchAway(scene);
  watchChanges(scene);
  watchHolding(scene, log);
  watchReady(scene);
  const contracts = watchContracts(scene);
  watchLimits(scene, log);
  watchFairness(scene);
  const proof = watchProof(scene, log);
  const effects = watchEffects(scene);
  const items = watchItems(scene);
  const ledger = watchLedger(scene);
  watchEarlierRefunds(scene);
  watchOrderActions(scene);
  const payouts = watchPayouts(scene);
  watchReferences(scene);
  const searched = watchSearched(scene);
  const shown = watchShown(scene);
  const unsent = watchUnsent(scene);
  watchCredit(scene);
  watchOnce(scene);
  watchNotified(scene, log);
  watchReturns(scene);
  watchBudget(scene);
  watchClocks(scene, log);
  watchKeys(scene);
  watchPrompt(scene, log);
  watchWaiting(scene);
  watchAccess(scene);
  watchPaused(scene);
  const tries = watchTries(scene);
  const act = createAct(scene);
  const counts = ({ invariant }: Breach): boolean =>
    !ignored.has(invariant) && !(byRightClocks.has(invariant) && relays.clocks.wereDaysWrong());
  for (const [number, step] of steps.entries()) {
    await passTime(scene, step.after);
    world.say(`step ${number}: ${describeStep(step)}`);
    act(step, number);
    effects.check();
    await items.check();
    await ledger.check();
    searched.check();
    await tries.check();
    const breach = world.breaches.find(counts);
    if (breach) return breach;
  }
  await clock.advance(clock.now() + MINUTE_MS);
  const left = settings.left();
  for (const what of left) settings.change(what);
  if (left.length > 0) relays.restart(1000);
  relays.calm();
  gateway.outage.until = 0;
  gateway.spoiled.clear();
  shop.trouble.until = 0;
  if (shop.wasGone()) void dealWithFailed(scene, 'redeliver', 0, 'in the end');
  // Relays notice it as soon as on an idle machine.
  clock.stir();
  let wrong: Breach[] = [];
  for (const rest of RESTS_MS) {
    await passTime(scene, rest);
    effects.check();
    await items.check();
    await ledger.check();
    searched.check();
    await tries.check();
    const breach = world.breaches.find(counts);
    if (breach) return breach;
    wrong = [
      ...(await finalBreaches(scene)),
      ...(await proof.finalBreaches()),
      ...(await contracts.finalBreaches()),
      ...(await effects.finalBreaches()),
      ...(await items.finalBreaches()),
      ...(await searched.finalBreaches()),
      ...(await payouts.finalBreaches()),
      ...(await unsent.finalBreaches()),
    ].filter(counts);
    const found = world.breaches.find(counts);
    if (found) return found;
    if (wrong.length === 0 && !clock.isExpecting())
      wrong = [...(await shown.finalBreaches()), ...(await freeAll(scene))].filter(counts);
    else continue;
    break;
  }
  const [first] = wrong;
  if (first) world.breach(first.invariant, first.detail);
  return first;
}
