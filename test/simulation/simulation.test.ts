import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { testsAll } from '../support/tests-all.ts';
import { faults } from './faults/faults.ts';
import { regressions } from './regressions/regressions.ts';

/** One fault in 32 shows that the simulation finds faults; `npm run test:all` plants all. */
const planted = Object.entries(faults).filter((_, at) => testsAll || at % 32 === 0);

/** The last seed of `npm run check`: beyond it a fault would not be found. */
const LAST_SEED = 50;

/** The simulation replaces the clock and the timers of its process, so it has one of its own. */
async function simulate(...args: string[]): Promise<{ code: number; output: string }> {
  const run = promisify(execFile)(process.execPath, ['test/simulation/main.ts', ...args], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return run.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code: Number(code), output: `${stdout}${stderr}` }),
  );
}

const traceOf = (output: string): string | undefined => /^trace ([0-9a-f]{64})$/m.exec(output)?.[1];

describe('the simulation', () => {
  it('plays the same seed byte for byte alike, and another differently', async () => {
    const [first, second, other] = await Promise.all([
      simulate('--seed=3', '--runs=1', '--keep-going'),
      simulate('--seed=3', '--runs=1', '--keep-going'),
      simulate('--seed=4', '--runs=1', '--keep-going'),
    ]);
    expect(traceOf(first.output)).toBeDefined();
    expect(traceOf(second.output)).toBe(traceOf(first.output));
    expect(traceOf(other.output)).toBeDefined();
    expect(traceOf(other.output)).not.toBe(traceOf(first.output));
  });

  it.runIf(regressions.length > 0)('breaks no invariant in the histories that are kept', async () => {
    const { output } = await simulate('--kept');
    expect(output).toMatch(/^0 breaches/m);
  });

  it.each(planted)('finds the fault: %s', async (name, fault) => {
    const histories =
      'regression' in fault
        ? ['--kept', `--first=${fault.regression}`]
        : [`--seed=${fault.seed}`, `--runs=${LAST_SEED + 1 - fault.seed}`];
    const { code, output } = await simulate(`--broken=${name}`, ...histories, '--fail-fast');
    expect(output).toMatch(/^seed \d+: /m);
    expect(code).toBe(1);
  });
});
