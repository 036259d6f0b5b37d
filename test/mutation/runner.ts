import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import {
  commonTokens,
  declareFactoryPlugin,
  type Injector,
  type PluginContext,
  PluginKind,
  tokens,
} from '@stryker-mutator/api/plugin';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { readSample, type Sample } from './sample.ts';
import { survivorPlugin } from './survivors.ts';

/** A test that runs with every mutant, in addition to the unit tests that reach it. */
const SIMULATION = 'simulation';

/** Its maximum duration, with a mutant that makes it slow. */
const SIMULATION_MS = 60_000;

/** Unit tests by Vitest. Mutants that survive them run through the simulation. */
class MoneyRunner implements TestRunner {
  readonly #unit: TestRunner;
  readonly #sample: Sample;
  #ids: readonly string[] = [];
  #chosen: ReadonlySet<string> = new Set();

  constructor(unit: TestRunner, sample: Sample) {
    this.#unit = unit;
    this.#sample = sample;
  }

  capabilities() {
    return this.#unit.capabilities();
  }

  async init(): Promise<void> {
    await this.#unit.init?.();
    this.#ids = await mutantsIn(this.#sample.files);
    this.#chosen = chosenOf(this.#ids, this.#sample);
  }

  async dryRun(options: DryRunOptions): Promise<DryRunResult> {
    const result = await this.#unit.dryRun(options);
    if (result.status !== DryRunStatus.Complete) return result;
    const simulation = {
      id: SIMULATION,
      name: SIMULATION,
      status: TestStatus.Success,
      timeSpentMs: SIMULATION_MS,
    } as const;
    const everywhere = Object.fromEntries(this.#ids.map((id) => [id, 1]));
    const { static: always = {}, perTest = {} } = result.mutantCoverage ?? {};
    return {
      ...result,
      tests: [...result.tests, simulation],
      mutantCoverage: { static: always, perTest: { ...perTest, [SIMULATION]: everywhere } },
    };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { id } = options.activeMutant;
    if (!this.#chosen.has(id)) return { status: MutantRunStatus.Error, errorMessage: 'not in the sample' };
    const reaching = options.testFilter?.filter((test) => test !== SIMULATION);
    if (reaching === undefined || reaching.length > 0) {
      const result = await this.#unit.mutantRun({ ...options, ...(reaching ? { testFilter: reaching } : {}) });
      if (result.status !== MutantRunStatus.Survived) return result;
    }
    return simulate(id);
  }

  async dispose(): Promise<void> {
    await this.#unit.dispose?.();
  }
}

/** Runs the simulation with a mutant in the instrumented copy of the project, which is the working directory. */
async function simulate(id: string): Promise<MutantRunResult> {
  const child = spawn(process.execPath, ['test/simulation/main.ts', '--seconds=5', '--fail-fast'], {
    env: { ...process.env, __STRYKER_ACTIVE_MUTANT__: id },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), SIMULATION_MS);
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  if (signal) return { status: MutantRunStatus.Timeout };
  if (code === 0) return { status: MutantRunStatus.Survived, nrOfTests: 1 };
  return { status: MutantRunStatus.Killed, killedBy: [SIMULATION], failureMessage: output.slice(-2000), nrOfTests: 1 };
}

/** The ids of all mutants of these files in the instrumented copies. */
async function mutantsIn(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const ids = texts.flatMap((text) => [...text.matchAll(/stryMutAct_9fa48\("(\d+)"\)/g)].map(([, id = '']) => id));
  return [...new Set(ids)];
}

/** This many of these mutants at random; the same ones for the same seed. */
function chosenOf(ids: readonly string[], { seed, most }: Sample): ReadonlySet<string> {
  const rank = (id: string): string => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return new Set(ids.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, most));
}

function moneyRunner(injector: Injector<PluginContext>): TestRunner {
  const [vitest] = vitestPlugins;
  if (!vitest) throw new TypeError('the Vitest runner exports no plugin');
  return new MoneyRunner(injector.injectFunction(vitest.factory), readSample());
}
moneyRunner.inject = tokens(commonTokens.injector);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'money', moneyRunner), survivorPlugin];
