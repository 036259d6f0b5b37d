import { expect, it } from 'vitest';
import { bucketOf, type Histogram, longestIn, percentilesOf } from './histogram.ts';

const times = [0, 1, 63, 64, 127, 128, 129, 255, 256, 1000, 12_345, 59_999, 86_400_000, 2 ** 40];

it.each(times)('finds %d ms again, at most 1/64 too long', (ms) => {
  const longest = longestIn(bucketOf(ms));
  expect(longest).toBeGreaterThanOrEqual(ms);
  expect(longest).toBeLessThanOrEqual(ms < 128 ? ms : ms * (1 + 1 / 64));
});

it('has longer times in higher buckets, and leaves none out', () => {
  const buckets = Array.from({ length: 5000 }, (_, ms) => bucketOf(ms));
  expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
  expect(new Set(buckets).size).toBe(Math.max(...buckets) + 1);
});

it('tells the times within which so many of a hundred came', () => {
  const histogram: Histogram = new Map();
  expect(percentilesOf(histogram)).toBeUndefined();
  for (let ms = 100; ms >= 1; ms--) histogram.set(bucketOf(ms), 2);
  expect(percentilesOf(histogram)).toEqual({ answers: 200, p50_ms: 50, p95_ms: 95, p99_ms: 99 });
});
