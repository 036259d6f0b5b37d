/** Times two pieces of work in turns, so that both meet the same noise, and gives the median of each in microseconds. */
export function compare(baseline: () => unknown, work: () => unknown): { baseline_us: number; work_us: number } {
  const times = { baseline: [] as number[], work: [] as number[] };
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const [base, own] = [timed(baseline), timed(work)];
    if (round < WARM_UP) continue;
    times.baseline.push(base);
    times.work.push(own);
  }
  return { baseline_us: median(times.baseline), work_us: median(times.work) };
}

const ROUNDS = 40;
const WARM_UP = 10;
const REPEATS = 1000;

function timed(work: () => unknown): number {
  const start = process.cpuUsage();
  for (let at = 0; at < REPEATS; at++) work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / REPEATS;
}

/** The middle one of some figures. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}
