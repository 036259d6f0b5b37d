import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/gateway/operations.ts';
import { done, failed, refunding } from '../../support/gateways/refunding.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';

const ZERO_WIDTH = '\u200b';
/** The gateway has no payment with this transaction_id. */
const MISTYPED = 'tx-9';

describe.each(stores)('another spelling of a transaction_id, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp() {
    const gateway = await scriptedGateway(
      refunding(({ transaction_id }) => (transaction_id === MISTYPED ? failed : done)),
    );
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: await newStore() });
    const item = (transaction_id: string) => ({ transaction_id, currency: 'BRL', amount: '10.00' });
    return {
      relay,
      sent: () => gateway.received.filter(({ path }) => path !== operations.refund_search.path).length,
      refund: (...ids: string[]) =>
        relay.post('/v1/refund', apiKey, {
          refund_orders: ids.map((id) => ({ ...item(id), refund_amount: '10.00' })),
        }),
      others: (id: string) => ({
        '/v1/capture': { capture_orders: [item('U'), item(id)] },
        '/v1/cancel': { cancel_orders: [item('U'), item(id)] },
        '/v1/review': {
          review_orders: [
            { ...item('U'), review_flag: 'ACCEPT' },
            { ...item(id), review_flag: 'ACCEPT' },
          ],
        },
      }),
    };
  }

  it.each([
    ['case', 'TX-1', 'tx-1'],
    ['case of a small one', 'tx-1', 'TX-1'],
    ['a zero-width space', 'TX-1', `TX-1${ZERO_WIDTH}`],
    ['a blank', 'TX-1', 'TX -1'],
    ['a known zero-width space', `TX-1${ZERO_WIDTH}`, 'TX-1'],
  ])('is refused before anything is sent: %s', async (_, known, other) => {
    const { relay, refund, others, sent } = await setUp();
    expect((await refund(known)).status).toBe(200);
    const before = sent();
    const refused = await refund('U', other);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'transaction_id_form', errors: [{ path: 'refund_orders.1.transaction_id' }] },
    });
    documented().check('post', '/v1/refund', refused);
    for (const [path, body] of Object.entries(others(other))) {
      const answer = await relay.post(path, apiKey, body);
      expect(answer, path).toMatchObject({ status: 400, body: { code: 'transaction_id_form' } });
      documented().check('post', path, answer);
    }
    expect(sent()).toBe(before);
    expect((await refund(known)).body.code, 'the limit counts').toBe('refund_exceeds_payment');
  });

  it('that failed leaves the right spelling refundable', async () => {
    const { relay, refund, others } = await setUp();
    expect((await refund(MISTYPED)).body).toMatchObject({ refund_orders: [failed] });
    for (const [path, body] of Object.entries(others('TX-9'))) {
      expect((await relay.post(path, apiKey, body)).body, path).not.toHaveProperty('code', 'transaction_id_form');
    }
    expect(await refund('TX-9')).toMatchObject({ status: 200, body: { refund_orders: [done] } });
    expect((await refund(MISTYPED)).body).toMatchObject({
      code: 'transaction_id_form',
      errors: [{ message: 'must be "TX-9" exactly' }],
    });
  });

  it('within one batch is refused; an unknown payment passes', async () => {
    const { refund, sent } = await setUp();
    expect((await refund('TX-1', 'tx-1')).body).toMatchObject({ code: 'transaction_id_form' });
    expect(sent()).toBe(0);
    expect((await refund('TX-1', 'TX-2')).status).toBe(200);
  });
});
