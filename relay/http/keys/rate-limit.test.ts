import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { testContext } from '../../../test/support/stores/context.ts';
import { countRequest } from './rate-limit.ts';

/** A key with a limit. The test moves the clock. */
async function limitedKey(per_minute: number, burst: number) {
  let ms = 1000;
  const context = { ...(await testContext()), monotonic: () => ms };
  /** The `RateLimit` of an answer; if the request is refused, the error and its headers. */
  const ask = (bucket = 'a') => {
    const res = new ServerResponse(new IncomingMessage(new Socket()));
    try {
      countRequest(context, bucket, { per_minute, burst }, res);
      return res.getHeader('RateLimit');
    } catch (error) {
      return { error, limit: res.getHeader('RateLimit'), policy: res.getHeader('RateLimit-Policy') };
    }
  };
  const pass = (seconds: number): void => {
    ms += seconds * 1000;
  };
  return { ask, pass };
}

describe('a limited API key', () => {
  it('makes a burst of requests, then one in each interval', async () => {
    const { ask, pass } = await limitedKey(60, 3);
    expect([ask(), ask(), ask()]).toEqual(['"key";r=2;t=1', '"key";r=1;t=2', '"key";r=0;t=3']);
    expect(ask()).toEqual({
      error: expect.objectContaining({ code: 'rate_limited', status: 429, headers: { 'Retry-After': '1' } }),
      limit: '"key";r=0;t=3',
      policy: '"key";q=60;w=60',
    });
    pass(0.9);
    expect(ask()).toMatchObject({ limit: '"key";r=0;t=3' });
    pass(0.1);
    expect(ask()).toBe('"key";r=0;t=3');
    pass(3600);
    expect(ask()).toBe('"key";r=2;t=1');
  });

  it('reports the wait of a slow limit', async () => {
    const { ask } = await limitedKey(2, 1);
    expect(ask()).toBe('"key";r=0;t=30');
    expect(ask()).toMatchObject({ error: { headers: { 'Retry-After': '30' } } });
  });

  it('does not limit other keys', async () => {
    const { ask } = await limitedKey(60, 1);
    expect([ask('a'), ask('b')]).toEqual(['"key";r=0;t=1', '"key";r=0;t=1']);
  });
});
