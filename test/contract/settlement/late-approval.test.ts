import { describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import { approvedAs, oneStore, setUpSettlement, storesOf } from '../../support/gateways/settlement.ts';
import { card } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

describe.each(oneStore)('a signed approval that could not be stored for long, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** The first relay cannot store changes of orders, and stops; the second one works. */
  async function storedTooLate() {
    const stack = await setUpSettlement(newStore, { timeoutMs: 500, resolve: { absent_ms: 300 } });
    const { relay, scripts, session, byCard, becomes, start } = stack;
    const { id, secret, orderNo } = await session();
    const { store } = relay.context;
    const write = store.orders.write;
    const isApproval = ({ after }: Parameters<typeof write>[0]): boolean =>
      after.attempts.some(({ state }) => state.status === 'approved');
    const broken = vi
      .spyOn(store.orders, 'write')
      .mockImplementation(async (change) =>
        isApproval(change) ? Promise.reject(new StoreError('down')) : write(change),
      );
    scripts.pay = approvedAs('T1');
    expect((await byCard(secret)).body).toEqual({ status: 'unknown' });
    await becomes(id, { status: 'open', attempts: [{ status: 'not_paid', reason: 'absent' }] });
    // Set only now: with its longer time limit it would take over the attempt later.
    const second = await start({ folder: relay.folder, timeoutMs: 60_000 });
    const storeIt = () => {
      broken.mockRestore();
      return relay.stop();
    };
    return { ...stack, second, id, secret, orderNo, storeIt };
  }

  it('makes its order paid while another attempt is in flight', async () => {
    const { scripts, second, shop, gateway, id, secret, storeIt } = await storedTooLate();
    const held: (() => void)[] = [];
    scripts.pay = (received, res, req) => void held.push(() => approvedAs('T2')(received, res, req));
    const pressed = second.pay(secret, card);
    await until('the second payment is in flight', () => held.length > 0);
    await storeIt();
    const paid = { status: 'approved', transaction_id: 'T1' };
    expect(await second.truth(id)).toMatchObject({
      ...paid,
      attempts: [{ status: 'approved' }, { status: 'in_flight' }],
    });
    for (const answer of held) answer();
    expect((await pressed).body).toMatchObject({ status: 'approved' });
    expect((await shop.one('session.paid_twice')).data).toMatchObject({ id, transaction_ids: ['T1', 'T2'] });
    expect(await second.truth(id)).toMatchObject({ paid_twice: ['T1', 'T2'] });
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('makes its order paid after another attempt was declined', async () => {
    const { scripts, second, shop, id, secret, storeIt } = await storedTooLate();
    scripts.pay = (_received, res) => void res.writeHead(400).end('Invalid input');
    expect((await second.pay(secret, card)).body).toMatchObject({ status: 'declined' });
    await storeIt();
    expect(await second.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect((await shop.one('session.approved')).data).toMatchObject({ id, transaction_id: 'T1' });
  });
});
