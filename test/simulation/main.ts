import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '150' },
    steps: { type: 'string', default: '40' },
    trace: { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
    ignore: { type: 'string', multiple: true, default: [] },
  },
});
const { run } = await import('./run.ts');
const whole = (text: string): number => Number.parseInt(text, 10);
process.exitCode = await run({
  seed: whole(values.seed),
  runs: whole(values.runs),
  steps: whole(values.steps),
  trace: values.trace,
  ignored: values.ignore,
  keepGoing: values['keep-going'],
});
