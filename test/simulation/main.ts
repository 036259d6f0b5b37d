import { parseArgs } from 'node:util';
import { plantFault } from './faults/plant.ts';
import { runInParallel } from './parallel-runs.ts';

const { values } = parseArgs({
  options: {
    /** The first seed, and how many more follow it. */
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100' },
    /** Steps of one history. */
    steps: { type: 'string', default: '60' },
    /** Ends once so many payments were sent. */
    payments: { type: 'string', default: '0' },
    /** Ends after so many seconds. */
    seconds: { type: 'string', default: '0' },
    /** Processes that share the seeds. */
    jobs: { type: 'string', default: '1' },
    /** Plays the histories that are kept, and no others. */
    kept: { type: 'boolean', default: false },
    /** What the kept history found that is played before the others. */
    first: { type: 'string' },
    /** Prints every line of the trace. */
    trace: { type: 'boolean', default: false },
    /** Invariants that are not checked. */
    ignore: { type: 'string', multiple: true, default: [] },
    /** Goes on after a breach, and shortens nothing. */
    'keep-going': { type: 'boolean', default: false },
    /** Ends at the first breach, and shortens nothing. */
    'fail-fast': { type: 'boolean', default: false },
    /** A module of the relay that is replaced by a wrong one of the folder mutants. */
    broken: { type: 'string' },
  },
});
const whole = (text: string): number => Number.parseInt(text, 10);
const [seed, runs, jobs] = [whole(values.seed), whole(values.runs), whole(values.jobs)];

if (jobs > 1) {
  process.exitCode = await runInParallel({ seed, runs, jobs }, process.argv.slice(2));
} else {
  if (values.broken !== undefined) plantFault(values.broken);
  // Now, so that whatever it imports of the relay is replaced.
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
