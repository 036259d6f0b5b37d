import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import { paymentAnswers, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { apiKey, card, order } from '../../support/relays/relay.ts';

const key = { 'idempotency-key': 'once' };
const notPaid = { outcome: 'not_paid', note: 'The bank says no' };

describe.each(stores)('a change that was written, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A relay that can write neither an answer nor an audit entry after a change. */
  async function setUp() {
    const stack = await setUpSettlement(newStore, { resolve: { absent_ms: 3_600_000 } });
    const { relay } = stack;
    const session = await relay.session();
    const lost = async (): Promise<never> => {
      throw new StoreError('lost');
    };
    relay.context.store.keys.answer = lost;
    relay.context.store.people.addAudit = lost;
    const audit = async () => {
      const { body } = await relay.get('/v1/audit', apiKey);
      return Array.isArray(body.entries) ? body.entries.map(({ action, orders }) => [action, orders]) : [];
    };
    /** Sends a request twice under its key and returns its answer. */
    const twice = async (path: string, body: object) => {
      const first = await relay.post(path, apiKey, body, key);
      const again = await relay.post(path, apiKey, body, key);
      expect(first.status).toBe(200);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text).toBe(first.text);
      return first;
    };
    return { ...stack, session, audit, twice };
  }

  it('by a person has its answer and its audit entry', async () => {
    const { session, audit, twice, byCard } = await setUp();
    expect((await byCard(session.secret)).body).toEqual({ status: 'unknown' });
    expect((await twice(`/v1/sessions/${session.id}/settle`, notPaid)).body).toMatchObject({ status: 'open' });
    expect(await audit()).toEqual([['session.settle', [session.orderNo]]]);
  });

  it('that withdraws a checkout for a shop has both, too', async () => {
    const { session, audit, twice } = await setUp();
    expect((await twice(`/v1/sessions/${session.id}/expire`, {})).body).toMatchObject({ status: 'expired' });
    expect(await audit()).toEqual([['session.expire', [session.orderNo]]]);
  });

  it('of an operation by a person has both, too', async () => {
    const { relay, scripts, audit, twice } = await setUp();
    scripts.query = paymentAnswers.lost;
    const payout = {
      ...{ beneficiary_id: 'b', payment_amount: '10', payment_currency: 'BRL' },
      request_id: '7f9c24e8-3b12-4fef-91d0-0123456789ab',
    };
    const sent = await relay.post('/v1/payout', apiKey, payout);
    expect(sent.body).toMatchObject({ code: 'outcome_unknown' });
    const path = `/v1/operations/${sent.body.operation_id}/settle`;
    expect((await twice(path, { outcome: 'failed' })).body).toMatchObject({ status: 'settled' });
    expect((await audit()).map(([action]) => action)).toEqual(['operation.settle', 'payout']);
  });

  it('of an open session by the shop’s server has an audit entry', async () => {
    const { relay, session, audit } = await setUp();
    const changed = await relay.send(`/v1/sessions/${session.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ order: { amount: '5.00' } }),
    });
    expect(changed).toMatchObject({ status: 200, body: { revision: 2 } });
    expect(await audit()).toEqual([['session.update', [session.orderNo]]]);
  });

  it('by a payment of the shop’s server has an audit entry', async () => {
    const { relay, audit } = await setUp();
    const body = { ...order(), ...card };
    expect((await relay.post('/v1/payments', apiKey, body)).status).toBe(200);
    expect(await audit()).toEqual([['payment', [body.order_no]]]);
  });
});
