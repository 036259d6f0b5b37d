import { parseArgs } from 'node:util';
import { plantFault } from './faults/plant.ts';
import { runInParallel } from './parallel-runs.ts';

const { values } = parseArgs({
  options: {
    /** The first seed, and the number of seeds. */
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100' },
    /** The number of steps in one history. */
    steps: { type: 'string', default: '60' },
    /** Ends after so many payments; 0: no limit. */
    payments: { type: 'string', default: '0' },
    /** Ends after so many seconds; 0: no limit. */
    seconds: { type: 'string', default: '0' },
    /** The number of processes. */
    jobs: { type: 'string', default: '1' },
    /** Plays the histories in `regressions` instead of seeds. */
    kept: { type: 'boolean', default: false },
    /** The `found` of the regression that is played first. */
    first: { type: 'string' },
    /** Prints every line of the trace. */
    trace: { type: 'boolean', default: false },
    /** Invariants that are not checked. */
    ignore: { type: 'string', multiple: true, default: [] },
    /** Continues after a breach, without shortening the history. */
    'keep-going': { type: 'boolean', default: false },
    /** Ends at the first breach, without shortening the history. */
    'fail-fast': { type: 'boolean', default: false },
    /** The name of the fault to plant. */
    broken: { type: 'string' },
  },
});
const whole = (text: string): number => Number.parseInt(text, 10);
const [seed, runs, jobs] = [whole(values.seed), whole(values.runs), whole(values.jobs)];

if (jobs > 1) {
  process.exitCode = await runInParallel({ seed, runs, jobs }, process.argv.slice(2));
} else {
  if (values.broken !== undefined) plantFault(values.broken);
  // After the fault is planted, so that the imports of the relay are replaced.
  const { run } = await import('./run.ts');
  process.exitCode = await run({
    ...{ seed, runs, steps: whole(values.steps), payments: whole(values.payments) },
    seconds: whole(values.seconds),
    ...{
      kept: values.kept,
      first: values.first,
      trace: values.trace,
      ignored: values.ignore,
      keepGoing: values['keep-going'],
    },
    failFast: values['fail-fast'],
  });
}
