/**
 * Times in milliseconds, counted in buckets: each millisecond below 128 has its own bucket, and each bucket of longer
 * times is less than 1/64 wide. So the sums of hours have percentiles, at most 1.6 % above the exact ones.
 */
export type Histogram = Map<number, number>;

/** Buckets in each doubling of the time. */
const PER_DOUBLING = 64;

/** The bucket of a time. Longer times have higher buckets. */
export function bucketOf(ms: number): number {
  const shift = Math.max(0, Math.floor(Math.log2(Math.max(1, ms) / PER_DOUBLING)));
  return shift * PER_DOUBLING + Math.floor(ms / 2 ** shift);
}

/** The longest time in a bucket. */
export function longestIn(bucket: number): number {
  const shift = Math.max(0, Math.floor(bucket / PER_DOUBLING) - 1);
  return (bucket - shift * PER_DOUBLING + 1) * 2 ** shift - 1;
}

/** The times within which these percentages of the answers came; undefined without an answer. */
export function percentilesOf(
  histogram: Histogram,
): { answers: number; p50_ms: number; p95_ms: number; p99_ms: number } | undefined {
  const buckets = [...histogram].toSorted(([a], [b]) => a - b);
  const answers = buckets.reduce((sum, [, count]) => sum + count, 0);
  if (answers === 0) return undefined;
  const percentile = (percent: number): number => {
    let left = Math.ceil((percent / 100) * answers);
    for (const [bucket, count] of buckets) {
      left -= count;
      if (left <= 0) return longestIn(bucket);
    }
    return 0;
  };
  return { answers, p50_ms: percentile(50), p95_ms: percentile(95), p99_ms: percentile(99) };
}
