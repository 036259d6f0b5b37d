import { describe, expect, it } from 'vitest';
import { deleteOld } from '../../../relay/operating/retention.ts';
import { RefundBooks } from '../../support/gateways/refund-books.ts';
import { patient, quick, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const DAY = 86_400_000;

describe.each(stores)('a clock that is temporarily ahead, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('deletes no key, and no request is executed twice', async () => {
    const clock = { ahead: 0 };
    const refunds = new RefundBooks();
    const { relay, gateway, scripts } = await setUpSettlement(newStore, {
      ...{ resolve: patient, config: { retention_days: 1 } },
      now: () => new Date(Date.now() + clock.ahead),
      monotonic: () => performance.now(),
    });
    scripts.query = refunds.script;
    const body = { refund_orders: [{ transaction_id: 'T1', currency: 'BRL', amount: '10.00', refund_amount: '1.00' }] };
    const refund = () => relay.post('/v1/refund', apiKey, body, { 'idempotency-key': 'once' });
    const first = await refund();
    expect(first.status).toBe(200);
    clock.ahead = 8 * DAY;
    await deleteOld(relay.context);
    clock.ahead = 0;
    const repeated = await refund();
    expect(repeated).toMatchObject({ status: 200, body: first.body });
    const id = first.headers.get('x-operation-id');
    expect(repeated.headers.get('x-operation-id')).toBe(id);
    expect((await relay.get(`/v1/operations/${id}`, apiKey)).status).toBe(200);
    expect(gateway.sent('/v1/refund')).toHaveLength(1);
  });

  it('delays no alarm for a payment that needs a person', async () => {
    const clock = { ahead: 30 * DAY };
    const { session, byCard, scripts, shop, relay } = await setUpSettlement(newStore, {
      resolve: { ...quick, give_up_ms: 2000 },
      now: () => new Date(Date.now() + clock.ahead),
      monotonic: () => performance.now(),
    });
    scripts.query = (_received, res) => void res.destroy();
    const { id, secret } = await session();
    expect((await byCard(secret)).body.status).toBe('unknown');
    clock.ahead = 0;
    await until('both webhooks arrive', () => shop.types().length === 2);
    expect(shop.received[1]).toMatchObject({
      type: 'session.unknown',
      data: { id, unknown: { needs_attention: true } },
    });
    expect(await relay.truth(id)).toMatchObject({ unknown: { needs_attention: true } });
  });
});
