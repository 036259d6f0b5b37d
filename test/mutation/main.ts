import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { MutantResult } from '@stryker-mutator/api/core';
import Stryker from '@stryker-mutator/core';
import { passSample } from './sample.ts';
import { isAlive, isMissed } from './survivors.ts';

/**
 * A part of the relay whose tests are checked: its files, its unit tests, and the maximum share of surviving mutants.
 * A unit test that takes longer than `testMs` counts as an endless loop.
 */
type Part = { files: readonly string[]; tests: string; minScore: number; testMs: number };

const parts: Readonly<Record<string, Part>> = {
  payments: { files: ['relay/payments/**/*.ts'], tests: 'relay/payments/**/*.test.ts', minScore: 90, testMs: 60_000 },
  reconciliation: {
    files: ['relay/reconciliation/*.ts'],
    tests: 'relay/reconciliation/**/*.test.ts',
    minScore: 80,
    testMs: 20_000,
  },
  operations: {
    files: ['relay/operations/*.ts'],
    tests: 'relay/operations/**/*.test.ts',
    minScore: 80,
    testMs: 20_000,
  },
  checkout: {
    files: [
      'relay/checkout/{conflicts,pay,pay-answer,quotas,return,send-attempt}.ts',
      'relay/checkout/server/{payment,settle}.ts',
    ],
    tests: 'relay/checkout/**/*.test.ts',
    minScore: 80,
    testMs: 60_000,
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Chooses the mutants. */
    seed: { type: 'string', default: '1' },
    /** The maximum number of mutants of a part. */
    most: { type: 'string', default: '400' },
    /** Processes that run mutants. */
    jobs: { type: 'string', default: '2' },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);

let isBelow = false;
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  const part = parts[name];
  if (!part) throw new Error(`no part ${name}: choose of ${Object.keys(parts).join(', ')}`);
  const results = await tried(part);
  const score = report(name, part, results);
  isBelow ||= score < part.minScore;
}
process.exitCode = isBelow ? 1 : 0;

/** Runs the mutants of a part and returns those in the sample. */
async function tried({ files, tests, testMs }: Part): Promise<MutantResult[]> {
  const found = files.flatMap((glob) => globSync(glob)).filter((file) => !file.endsWith('.test.ts'));
  passSample({ files: found, tests, testMs, seed: values.seed, most: Number(values.most) });
  const stryker = new Stryker({
    ...{ mutate: found, testRunner: 'money', plugins: [new URL('./runner.ts', import.meta.url).href] },
    ...{
      coverageAnalysis: 'perTest',
      concurrency: Number(values.jobs),
      reporters: ['progress-append-only', 'survivors'],
      warnings: false,
      allowConsoleColors: false,
    },
    // The library cannot read TypeScript 7's settings, and Node strips the types itself.
    ...{
      tsconfigFile: 'none',
      disableTypeChecks: false,
      ignorePatterns: ['dist', 'docs', 'data'],
      cleanTempDir: 'always',
    },
    // The sandbox is below dist, which no other tool reads.
    ...{ tempDirName: 'dist/mutation', vitest: { configFile: 'test/mutation/vitest.config.ts', related: false } },
  });
  const all = await stryker.runMutationTest();
  return all.filter(({ status }) => status !== 'RuntimeError');
}

/** Prints and returns the score in per cent: of all mutants except the equivalent ones. */
function report(name: string, { minScore }: Part, results: readonly MutantResult[]): number {
  const missed = results.filter(isMissed).length;
  const equivalent = results.filter(isAlive).length - missed;
  const counted = results.length - equivalent;
  const score = ((counted - missed) / Math.max(1, counted)) * 100;
  print(
    `${name}: ${score.toFixed(1)} % of ${counted} mutants found (aim ${minScore} %), ${missed} missed, ${equivalent} equivalent, seed ${values.seed}`,
  );
  return score;
}
