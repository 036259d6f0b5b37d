import { createHash } from 'node:crypto';
import { createSigner } from '../../relay/gateway/signing/signer.ts';
import { historyOf } from './generate.ts';
import { play, type Setting } from './history.ts';
import { shorten } from './shorten.ts';
import { describeStep, type History } from './steps.ts';
import { installClock } from './world/clock.ts';
import { simulatedConfig } from './world/config.ts';
import { type Invariant, invariants } from './world/world.ts';

export type Options = {
  seed: number;
  runs: number;
  steps: number;
  trace: boolean;
  ignored: readonly string[];
  keepGoing: boolean;
};

/** Plays the histories of consecutive seeds, and prints what came of it; the first that fails in short. Gives the exit code. */
export async function run({ seed, runs, steps, trace, ignored, keepGoing }: Options): Promise<number> {
  const started = performance.now();
  const realNow = performance.now.bind(performance);
  const config = simulatedConfig();
  const signer = await createSigner(config.gateway.profile.signing);
  const setting: Setting = { clock: installClock(), config, signer, ignored: ignoredOf(ignored) };
  const hash = createHash('sha256');
  const failed: string[] = [];
  const total = { payments: 0, calls: 0 };
  for (let at = seed; at < seed + runs; at++) {
    const history = historyOf(at, steps);
    const result = await play(setting, history, trace ? (line) => process.stdout.write(line) : undefined);
    hash.update(result.hash);
    total.payments += result.payments;
    total.calls += result.calls;
    if (!result.breach) continue;
    failed.push(`seed ${at}: ${result.breach.invariant}: ${result.breach.detail}`);
    if (keepGoing) continue;
    await report(setting, history, result.breach.invariant);
    return 1;
  }
  const seconds = (realNow() - started) / 1000;
  console.log(
    `${runs} histories from seed ${seed}, ${runs * steps} steps, ${total.payments} payments, ${total.calls} calls of the gateway, ${failed.length} breaches`,
  );
  for (const line of failed) console.log(line);
  console.log(`${seconds.toFixed(1)} s, ${((seconds * 1000) / total.payments).toFixed(2)} ms a payment`);
  console.log(`trace ${hash.digest('hex')}`);
  return failed.length === 0 ? 0 : 1;
}

async function report(setting: Setting, history: History, invariant: Invariant): Promise<void> {
  const short = await shorten(
    history,
    async (shorter) => (await play(setting, shorter)).breach?.invariant === invariant,
  );
  const lines: string[] = [];
  const { breach } = await play(setting, short, (line) => lines.push(line));
  console.log(`seed ${history.seed}: ${breach?.invariant}: ${breach?.detail}`);
  console.log(`${short.relays} relays, ${short.steps.length} of ${history.steps.length} steps are enough:`);
  for (const step of short.steps) console.log(`  ${describeStep(step)}`);
  console.log(lines.join(''));
}

function ignoredOf(names: readonly string[]): Set<Invariant> {
  return new Set(invariants.filter((invariant) => names.includes(invariant)));
}
