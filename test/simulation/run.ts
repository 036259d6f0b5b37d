import { createHash } from 'node:crypto';
import { createSigner } from '../../relay/gateway/signing/signer.ts';
import { historyOf } from './generate/generate.ts';
import { play, type Result, type Setting } from './history.ts';
import { regressions } from './regressions/regressions.ts';
import { shorten } from './shorten.ts';
import { describeStep, faultsIn, type History, withoutDefaults } from './steps.ts';
import { installClock } from './world/clock.ts';
import { simulatedConfig } from './world/config.ts';
import { type Invariant, invariants } from './world/world.ts';

type Options = {
  seed: number;
  runs: number;
  steps: number;
  /** The maximum number of payments; 0: no limit. */
  payments: number;
  /** The maximum time in seconds; 0: no limit. */
  seconds: number;
  kept: boolean;
  /** The `found` of the regression that is played first. */
  first: string | undefined;
  trace: boolean;
  ignored: readonly string[];
  keepGoing: boolean;
  failFast: boolean;
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Plays histories and prints the results, and shortens the first history with a breach. Returns the exit code. */
export async function run(options: Options): Promise<number> {
  // Before the simulated clock replaces it.
  const realNow = performance.now.bind(performance);
  const started = realNow();
  const config = simulatedConfig();
  const signer = await createSigner(config.gateway.profile.signing);
  const ignored = new Set(invariants.filter((invariant) => options.ignored.includes(invariant)));
  const setting: Setting = { clock: installClock(), config, signer, ignored };
  const hash = createHash('sha256');
  const total = { histories: 0, steps: 0, faults: 0, payments: 0, calls: 0 };
  let breaches = 0;
  for (const history of historiesOf(options)) {
    const result = await play(setting, history, options.trace ? (line) => process.stdout.write(line) : undefined);
    hash.update(result.hash);
    count(total, history, result);
    const { breach } = result;
    if (breach && !options.keepGoing && !options.failFast) return report(setting, history, breach.invariant);
    if (breach) {
      breaches += 1;
      print(`seed ${history.seed}: ${breach.invariant}: ${breach.detail}`);
      if ('found' in history) print(`kept: ${history.found}`);
      if (options.failFast) break;
    }
    if (options.payments > 0 && total.payments >= options.payments) break;
    if (options.seconds > 0 && realNow() - started >= options.seconds * 1000) break;
  }
  const seconds = (realNow() - started) / 1000;
  const each = ((seconds * 1000) / Math.max(1, total.payments)).toFixed(2);
  const { histories, steps, faults, payments, calls } = total;
  print(
    `${histories} histories, ${steps} steps, ${faults} faults, ${payments} payments, ${calls} calls of the gateway`,
  );
  print(`${breaches} breaches; ${seconds.toFixed(1)} s, ${each} ms a payment`);
  print(`trace ${hash.digest('hex')}`);
  return breaches === 0 ? 0 : 1;
}

function* historiesOf(options: Options): Generator<History> {
  const { first } = options;
  const isFirst = ({ found }: { found: string }): boolean => found === first;
  if (first !== undefined && !regressions.some(isFirst)) throw new Error(`no kept history found this: ${first}`);
  if (options.kept) yield* regressions.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
  else for (let at = options.seed; at < options.seed + options.runs; at++) yield historyOf(at, options.steps);
}

function count(
  total: { histories: number; steps: number; faults: number; payments: number; calls: number },
  { steps }: History,
  { payments, calls }: Result,
): void {
  total.histories += 1;
  total.steps += steps.length;
  total.faults += steps.reduce((sum, step) => sum + faultsIn(step), 0);
  total.payments += payments;
  total.calls += calls;
}

/** Shortens a history with a breach, and prints its steps, its JSON for `regressions`, and its trace. */
async function report(setting: Setting, history: History, invariant: Invariant): Promise<number> {
  const fails = async (shorter: History): Promise<boolean> =>
    (await play(setting, shorter)).breach?.invariant === invariant;
  const short = await shorten(history, fails);
  const lines: string[] = [];
  const { breach } = await play(setting, short, (line) => lines.push(line));
  print(`seed ${history.seed}: ${breach?.invariant}: ${breach?.detail}`);
  print(`${short.relays} relays; of ${history.steps.length} steps these ${short.steps.length} are enough:`);
  for (const step of short.steps) print(`  ${describeStep(step)}`);
  print(JSON.stringify({ ...short, steps: short.steps.map(withoutDefaults) }));
  print(lines.join(''));
  return 1;
}
