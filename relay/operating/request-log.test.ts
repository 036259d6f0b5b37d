import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { testContext } from '../../test/support/stores/context.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import type { RequestStore, StoredRequest } from '../store/facets/logs/requests.ts';
import { startRequestLog } from './request-log.ts';

const request = (n: number): StoredRequest => ({
  ...{ account: 'demo', id: `rl_${n}`, at: '2027-03-31T10:15:00.000Z', key: 'server', method: 'GET' },
  ...{ path: '/v1/orders', status: 200, ms: 1, request_id: `req_${n}` },
});

const lost = (): Promise<never> => Promise.reject(new StoreError('lost', { reason: 'ECONNREFUSED' }));

/** A request log with a store whose writes end as `add` has it. */
async function startLog(add: RequestStore['add']) {
  const { metrics, log } = await testContext();
  const written: (readonly StoredRequest[])[] = [];
  const requests = {
    add: vi.fn(async (batch: readonly StoredRequest[]) => {
      await add(batch);
      written.push(batch);
    }),
    list: async () => ({ requests: [] }),
  };
  const running = startRequestLog({ store: { requests }, metrics, log });
  onTestFinished(() => running.stop());
  const dropped = async () => {
    const text = await metrics.registry.getSingleMetricAsString('turnpike_request_log_dropped_total');
    return Number(/^turnpike_request_log_dropped_total (\d+)$/m.exec(text)?.[1]);
  };
  return { ...running, written, dropped, tries: requests.add };
}

describe('the request log', () => {
  it('writes what waits in batches, the rest when it stops', async () => {
    const { add, stop, written, dropped } = await startLog(async () => undefined);
    for (let n = 0; n < 450; n++) add(request(n));
    await until('the batches are written', async () => written.length === 3);
    expect(written.map((batch) => batch.length)).toEqual([200, 200, 50]);
    add(request(450));
    await stop();
    expect(written.flat().map(({ id }) => id)).toEqual(Array.from({ length: 451 }, (_, n) => `rl_${n}`));
    expect(await dropped()).toBe(0);
  });

  it('keeps what a lost store did not take, drops the excess', async () => {
    let isLost = true;
    const { add, stop, written, dropped, tries } = await startLog(() => (isLost ? lost() : Promise.resolve()));
    for (let n = 0; n < 10_003; n++) add(request(n));
    expect(await dropped()).toBe(3);
    await until('it was tried', async () => tries.mock.calls.length > 0);
    expect(written).toEqual([]);
    isLost = false;
    await stop();
    expect(written.flat()).toHaveLength(10_000);
    expect(await dropped()).toBe(3);
  });

  it('counts what a store that stays lost never took', async () => {
    const { add, stop, dropped } = await startLog(lost);
    add(request(1));
    await stop();
    expect(await dropped()).toBe(1);
  });

  it('does not repeat what the store refuses', async () => {
    const { add, stop, written, dropped } = await startLog(async ([first]) => {
      if (first?.id === 'rl_0') throw new StoreError('refused');
    });
    for (let n = 0; n < 201; n++) add(request(n));
    await stop();
    expect(written.flat().map(({ id }) => id)).toEqual(['rl_200']);
    expect(await dropped()).toBe(200);
  });
});
