import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RelayRefused } from '../../client/index.ts';
import { type Io, processIo } from '../base/io.ts';
import { slicesOf } from './slices.ts';

const io: Io = { ...processIo(), wait: async () => undefined };
const start = Date.parse('2027-03-01T00:00:00Z');

const slow = () => {
  const refusal = { status: 504, code: 'gateway_timeout', title: '', detail: '', errors: [] };
  const ids = { operationId: undefined, sessionId: undefined, requestId: undefined };
  return new RelayRefused({ method: 'POST', route: '/v1/query' }, { ...refusal, ...ids });
};

/** What was read of a period by a gateway that has so many records an hour, and answers with no more than it can. */
async function read(seconds: number, perHour: number, capacity: number) {
  const slices: { from: number; until: number; begin: number; end: number }[] = [];
  let last = { begin: 0, end: 0 };
  const period = { from: start, to: start + seconds * 1000 };
  const ask = async (begin: number, end: number) => {
    last = { begin, end };
    const records = Math.floor((perHour * (end - begin)) / 3_600_000);
    if (records > capacity) throw slow();
    return { records };
  };
  for await (const { until } of slicesOf(io, period, ask)) {
    slices.push({ from: slices.at(-1)?.until ?? start, until, ...last });
  }
  return slices;
}

it('reads every moment of a period, whatever the gateway can answer', async () => {
  const args = [fc.integer({ min: 1, max: 3 * 86_400 }), fc.nat(9000), fc.integer({ min: 50, max: 30_000 })] as const;
  await fc.assert(
    fc.asyncProperty(...args, async (seconds, perHour, capacity) => {
      const slices = await read(seconds, perHour, capacity);
      expect(slices.at(-1)?.until).toBe(start + seconds * 1000);
      for (const { from, until, begin, end } of slices) {
        expect(until).toBeGreaterThan(from);
        expect([begin, end]).toEqual([from - 1000, until + 1000]);
      }
    }),
    { numRuns: 50 },
  );
});

it('makes slices as long as their answers are short', async () => {
  expect((await read(30 * 86_400, 0, 1)).length).toBeLessThan(12);
  const busy = await read(86_400, 7777, 20_000);
  expect(busy.length).toBeLessThan(24 * 8);
  expect(Math.max(...busy.map(({ begin, end }) => end - begin))).toBeLessThanOrEqual(3_602_000);
});

it('gives up where the shortest slice is too much', async () => {
  await expect(read(3600, 10_000_000, 10)).rejects.toThrow('gateway_timeout');
});
