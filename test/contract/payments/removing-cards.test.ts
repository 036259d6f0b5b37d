import { describe, expect, it } from 'vitest';
import { approvedAs, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { card } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const saved = (token_id: string) => ({
  ...{ token_id, brand: 'visa', last4: '1111', expiration_month: '12', expiration_year: '2030' },
});

describe.each(stores)('a shopper who removes a saved card, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp() {
    const stack = await setUpSettlement(newStore);
    const session = await stack.session({ saved_cards: [saved('t1'), saved('t2')] });
    const remove = (token_id: string) => stack.relay.post('/checkout/api/remove-card', session.secret, { token_id });
    const byToken = (token_id: string) => stack.relay.pay(session.secret, { token_id, security_code: '737' });
    return { ...stack, ...session, remove, byToken };
  }

  it('is no longer offered the card and cannot pay with it', async () => {
    const { remove, byToken, view, secret, gateway } = await setUp();
    expect(await remove('t1')).toMatchObject({ status: 200, body: { revision: 1, saved_cards: [saved('t2')] } });
    expect(await view(secret)).toMatchObject({ saved_cards: [saved('t2')] });
    expect(await byToken('t1')).toMatchObject({ status: 400, body: { errors: [{ path: 'token_id' }] } });
    expect(gateway.authorised()).toEqual([]);
    expect(await byToken('t2')).toMatchObject({ status: 200 });
  });

  it('causes one webhook to the shop', async () => {
    const { remove, scripts, relay, shop, id, secret } = await setUp();
    await remove('t1');
    expect(await remove('t1')).toMatchObject({ status: 200, body: { saved_cards: [saved('t2')] } });
    await remove('t3');
    await until('the shop is informed', () => shop.received.some(({ type }) => type === 'saved_card.removed'));
    scripts.pay = approvedAs('T1');
    await relay.pay(secret, { token_id: 't2', security_code: '737' });
    await until('the webhook of the payment arrives', () =>
      shop.received.some(({ type }) => type === 'session.approved'),
    );
    const removed = shop.received.filter(({ type }) => type === 'saved_card.removed');
    expect(removed).toMatchObject([{ data: { id, saved_card: saved('t1') } }]);
  });

  it('cannot do so once the session is paid', async () => {
    const { remove, scripts, relay, secret } = await setUp();
    scripts.pay = approvedAs('T1');
    await relay.pay(secret, card);
    expect(await remove('t1')).toMatchObject({ status: 409, body: { code: 'session_final' } });
  });
});
