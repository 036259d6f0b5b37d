import { describe, expect, it } from 'vitest';
import { notifyPath } from '../../support/gateways/notified.ts';
import { setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { until } from '../../support/time/until.ts';

describe.each(stores)('a payment that is notified while being sent, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('is queried as soon as its answer is lost', async () => {
    const { relay, scripts, books, session, byCard, gateway } = await setUpSettlement(newStore);
    const { id, secret, orderNo } = await session();
    const { store } = relay.context;
    const { leaseDue: leaseDueOrders } = store.orders;
    let leased = 0;
    store.orders.leaseDue = async (...args) => {
      const due = await leaseDueOrders(...args);
      leased += due.length;
      return due;
    };
    scripts.pay = async (_received, res) => {
      books.write(orderNo, 'T1', '3000');
      await relay.send(notifyPath(relay, id), { method: 'POST' });
      await until('a relay leased the order', () => leased > 0);
      res.destroy();
    };
    expect((await byCard(secret)).body).toEqual({ status: 'unknown' });
    // A relay's lease of an order expires after half a minute.
    const approved = { status: 'approved', transaction_id: 'T1' };
    await expect.poll(() => relay.truth(id)).toMatchObject(approved);
    expect(gateway.authorised()).toHaveLength(1);
  });
});
