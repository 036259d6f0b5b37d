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

/** The middle one of some figures, or the mean of the two in the middle. NaN if there are none. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (low + high) / 2;
}
