import { describe, expect, it } from 'vitest';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { namesIn, setUpPaid, signedBody } from '../../support/relays/paid-order.ts';
import { until } from '../../support/time/until.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

describe.each(stores)('a renewal that is notified before its record, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** The gateway was queried once and did not know the renewal. The relay’s clock is late. */
  async function askedTooEarly(behindMs: number, fields: (orderNo: string) => Record<string, string>) {
    const stack = await setUpPaid(newStore, { behindMs });
    const { paid, gateway, notify, forwarded, relay } = stack;
    const named = fields(paid.orderNo);
    await notify(signedBody(named));
    const name = named.order_no ?? named.transaction_id ?? '';
    const isAsked = () =>
      gateway.queried().some((query) => [...namesIn(query, 'orders'), ...namesIn(query, 'trades')].includes(name));
    await until('the gateway is queried it', isAsked);
    await until('it waits for the next query', async () => {
      const [waiting] = await relay.context.store.notifications.listWaiting([paid.id], 9);
      return (
        waiting !== undefined && (await relay.context.store.orders.get('demo', paid.orderNo)).repeats !== undefined
      );
    });
    expect(forwarded()).toEqual([]);
    return { ...stack, named };
  }

  it('is reported once, with its record, by the next query', async () => {
    const { clock, books, relay, waitForWebhooks, idle, forwarded, paid } = await askedTooEarly(
      10 * SECOND_MS,
      (orderNo) => ({
        order_no: `${orderNo}-R2`,
        transaction_id: 'T2',
      }),
    );
    books.write(`${paid.orderNo}-R2`, 'T2', '3000');
    clock.behindMs = 0;
    relay.context.wakeUps.notices.wake();
    expect(await waitForWebhooks(1)).toMatchObject([{ verified: true, records: [{ transaction_id: 'T2' }] }]);
    await idle();
    expect(forwarded()).toHaveLength(1);
  });

  it('with the same order_no is reported once, by its transaction only', async () => {
    const { clock, books, relay, waitForWebhooks, idle, forwarded, paid } = await askedTooEarly(10 * SECOND_MS, () => ({
      transaction_id: 'T2',
    }));
    books.write(paid.orderNo, 'T2', '3000');
    clock.behindMs = 0;
    relay.context.wakeUps.notices.wake();
    expect(await waitForWebhooks(1)).toMatchObject([{ records: [{ order_no: paid.orderNo, transaction_id: 'T2' }] }]);
    await idle();
    expect(forwarded()).toHaveLength(1);
  });

  it('is reported without records if none appear within an hour', async () => {
    const { clock, relay, waitForWebhooks, named } = await askedTooEarly(HOUR_MS + SECOND_MS, (orderNo) => ({
      order_no: `${orderNo}-R2`,
      transaction_id: 'T2',
    }));
    clock.behindMs = 0;
    relay.context.wakeUps.notices.wake();
    expect(await waitForWebhooks(1)).toMatchObject([{ fields: named, records: [] }]);
  });
});
