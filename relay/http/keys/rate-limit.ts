import type { ServerResponse } from 'node:http';
import type { RateLimit } from '../../../shared/api/key.ts';
import { ProblemError } from '../../base/errors.ts';
import type { Context } from '../../context/context.ts';

const MINUTE_MS = 60_000;

/**
 * Counts a request of a key that has a limit. Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) to the number
 * of requests that are left. The key has a bucket that `burst` requests empty and that fills again at `per_minute`. It is in the memory of
 * this process: each relay counts by itself, and a request writes nothing. Throws ProblemError `rate_limited` if the bucket is empty; such a
 * request is not counted.
 * @param bucket identifies the key
 */
export function countRequest(
  { rateBuckets, monotonic, metrics }: Context,
  bucket: string,
  { per_minute, burst }: RateLimit,
  res: ServerResponse,
): void {
  const now = monotonic();
  const before = rateBuckets.get(bucket) ?? { left: burst, at: now };
  const filled = Math.min(burst, before.left + ((now - before.at) * per_minute) / MINUTE_MS);
  const isTaken = filled >= 1;
  const left = isTaken ? filled - 1 : filled;
  rateBuckets.set(bucket, { left, at: now });
  const secondsUntil = (wanted: number): number => Math.ceil(((wanted - left) * MINUTE_MS) / per_minute / 1000);
  res.setHeader('RateLimit-Policy', `"key";q=${per_minute};w=60`);
  res.setHeader('RateLimit', `"key";r=${Math.floor(left)};t=${secondsUntil(burst)}`);
  if (isTaken) return;
  metrics.limited('api_key');
  throw new ProblemError('rate_limited', `This API key may make ${per_minute} requests a minute. Nothing was done.`, {
    headers: { 'Retry-After': String(Math.max(1, secondsUntil(1))) },
  });
}
