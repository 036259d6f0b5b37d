import { describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import { operationCases } from '../../support/gateways/operation-cases.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';

describe.each(stores)('on %s', (kind) => {
  const newStore = storesOf(kind);

  it.each(['refund', 'capture', 'payout'] as const)(
    'a %s answered during a store outage is known after it',
    async (name) => {
      const gateway = await scriptedGateway(compliant);
      const relay = await startTestRelay({ gatewayUrl: gateway.url, config: await newStore() });
      const down = new StoreError('down');
      const finish = vi
        .spyOn(relay.context.store.operations, 'finish')
        .mockRejectedValueOnce(down)
        .mockRejectedValueOnce(down);
      const send = () => relay.post(`/v1/${name}`, apiKey, operationCases[name].least, { 'idempotency-key': 'k-1' });
      const first = await send();
      expect(first).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
      await expect
        .poll(async () => (await relay.get(`/v1/operations/${first.body.operation_id}`, apiKey)).body, {
          timeout: 5000,
        })
        .toMatchObject({ status: 'answered' });
      expect(finish).toHaveBeenCalledTimes(3);
      const again = await send();
      expect(again.status, again.text).toBe(200);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(gateway.sent(`/v1/${name}`)).toHaveLength(1);
    },
  );

  it('a stopping relay stores an outcome after a store failure', async () => {
    const gateway = await scriptedGateway(compliant);
    const config = await newStore();
    const one = await startTestRelay({ gatewayUrl: gateway.url, config });
    const broken = vi.spyOn(one.context.store.operations, 'finish').mockRejectedValue(new StoreError('down'));
    const got = await one.post('/v1/capture', apiKey, operationCases.capture.least);
    broken.mockRestore();
    await one.stop();
    const two = await startTestRelay({ gatewayUrl: gateway.url, folder: one.folder, config });
    const { body } = await two.get(`/v1/operations/${got.body.operation_id}`, apiKey);
    expect(body).toMatchObject({ status: 'answered', items: ['succeeded'] });
  });
});
