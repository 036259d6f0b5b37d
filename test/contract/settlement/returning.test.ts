import { describe, expect, it } from 'vitest';
import { approvedAs, oneStore, setUpSettlement, storesOf } from '../../support/gateways/settlement.ts';
import { until } from '../../support/time/until.ts';

describe.each(oneStore)('a shopper who returns from the issuer, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function away() {
    const stack = await setUpSettlement(newStore, { resolve: { first_ms: 60_000, max_ms: 60_000 } });
    const session = await stack.session();
    expect((await stack.byPix(session.secret)).body.status).toBe('redirect');
    return { ...stack, ...session };
  }

  it('sees that it is being confirmed, then that nothing was paid', async () => {
    const { comeBack, view, queriesOf, relay, shop, byCard, scripts, id, secret, orderNo } = await away();
    const began = performance.now();
    const back = comeBack(id);
    await until('the gateway is asked', () => queriesOf(orderNo).length > 0);
    expect(await view(secret)).toMatchObject({ status: 'redirected', confirming: true });
    expect(await back).toBe('open');
    expect(performance.now() - began).toBeGreaterThan(4500);
    expect(queriesOf(orderNo).length).toBeGreaterThanOrEqual(3);
    expect(await view(secret)).toMatchObject({ status: 'open', notice: 'not_paid', last_method: 'PIX' });
    expect(await relay.truth(id)).toMatchObject({ attempts: [{ status: 'not_paid', reason: 'abandoned' }] });
    expect(shop.types()).toEqual(['session.redirected']);
    scripts.pay = approvedAs('T9');
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved', transaction_id: 'T9' });
  });

  it('sees a payment whose record appears while it is confirmed', async () => {
    const { comeBack, books, queriesOf, relay, id, orderNo } = await away();
    const back = comeBack(id);
    await until('the gateway was asked', () => queriesOf(orderNo).length > 0);
    books.write(orderNo, 'T1', '3000');
    expect(await back).toBe('approved');
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('sees an open session’s form at once although the gateway is slow', async () => {
    const { comeBack, scripts, view, relay, id, secret } = await away();
    expect(await comeBack(id)).toBe('open');
    scripts.query = () => undefined;
    expect(await view(secret)).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(await relay.truth(id)).toMatchObject({ status: 'open' });
  });

  it('is told that it is unknown where the gateway cannot be asked', async () => {
    const { comeBack, scripts, books, byCard, gateway, reconcile, relay, id, secret, orderNo } = await away();
    const usual = scripts.query;
    scripts.query = (_received, res) => void res.writeHead(503).end();
    expect(['unknown', 'redirected']).toContain(await comeBack(id));
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect(gateway.authorised()).toHaveLength(1);
    scripts.query = usual;
    books.write(orderNo, 'T1', '3000');
    expect((await reconcile(orderNo)).body).toMatchObject({ status: 'paid' });
    expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
  });
});
