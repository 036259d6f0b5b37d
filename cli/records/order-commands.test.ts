import { expect, it } from 'vitest';
import { cli } from '../../test/support/operators/cli.ts';
import { scriptedKey, scriptedRelay } from '../../test/support/operators/scripted-relay.ts';

const at = '2026-11-21T12:00:00.000Z';

/** What `turnpike orders get` prints of an order that was paid once. */
async function shown(payment: object): Promise<string> {
  const refunds = { refunded: '25.00', refund_undecided: '5.00', refundable: '75.00' };
  const money = { amount: '129.90', currency: 'BRL', captured: '100.00', ...refunds };
  const { url } = await scriptedRelay({
    status: 200,
    body: {
      ...{ order_no: 'A-1', status: 'paid', created_at: at, needs_attention: false, ...money },
      ...{ sessions: [], timeline: [], payments: [payment] },
    },
  });
  const { code, out } = await cli(['orders', 'get', 'A-1', '--url', url], { env: { TURNPIKE_API_KEY: scriptedKey } });
  expect(code).toBe(0);
  return out;
}

it('an order shows the status and the sums of its payment', async () => {
  const payment = {
    ...{ transaction_id: 'T-1', amount: '129.90', currency: 'BRL', proof: 'answer', paid_at: at, credited: true },
    ...{ status: 'partially_refunded', captured: '100.00', capturable: '29.90' },
    ...{ refunded: '20.00', refund_undecided: '0.00', refundable: '80.00', order_no: 'A-1', operations: [] },
  };
  expect(await shown(payment)).toMatch(
    /payment 1 +T-1, 129.90 BRL, partially_refunded, known by answer: 100.00 captured, 29.90 capturable, 20.00 refunded, 80.00 refundable\n/,
  );
  const undecided = await shown({ ...payment, refund_undecided: '5.00', refundable: '75.00' });
  expect(undecided).toContain('20.00 refunded (5.00 more not known yet), 75.00 refundable');
});
