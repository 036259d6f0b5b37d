import { describe, expect, it } from 'vitest';
import { subscriptionList } from '../../../shared/api/subscription.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { notifyPath } from '../../support/gateways/notified.ts';
import { approval, drop, type Script, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { patient, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { account, apiKey, otherAccountKey, queryOnlyKey } from '../../support/relays/relay.ts';

const monthly = { contract_name: 'Tea club', contract_amount: '49.90', interval: 'month' };
const codes = {
  recurring_status: { active: ['1'], inactive: ['0'] },
  cancel_status: { success: ['1'], failed: ['9'] },
  payment_status: { approved: ['3000'], declined: ['4100'], pending: [] },
};

/** The gateway's answer to the end of a contract. */
const endedWith =
  (cancel_status: string): Script =>
  ({ message }, res) => {
    const { merchant_id, account_id, recurring_id, contract_name = '' } = message;
    const answer = { merchant_id, account_id, recurring_id, contract_name, cancel_status, error_message: '' };
    const signed = { ...answer, encryption_data: sign(answer, account.signingSecret) };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(signed));
  };

describe.each(stores)('the list of contracts, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp() {
    const parts = await setUpSettlement(newStore, {
      resolve: patient,
      profile: { codes },
    });
    const { relay, scripts, session, byCard } = parts;
    const { query } = scripts;
    const reference = documented();
    const list = async (query: Record<string, string> = {}, key = apiKey) => {
      const answer = await relay.get(`/v1/subscriptions?${new URLSearchParams(query)}`, key);
      reference.check('get', '/v1/subscriptions', answer);
      return answer;
    };
    let end: Script = endedWith('1');
    scripts.query = (received, res, req) =>
      (received.path === '/v1/cancelsubscription' ? end : query)(received, res, req);
    return {
      ...parts,
      list,
      ends(with_: Script) {
        end = with_;
      },
      /** An order whose payment begins a contract, unless `recurring_id` is empty. */
      async begin(recurring_id: string, order: object = {}) {
        const one = await session({
          ...{ payment_methods: [{ type: 'card' }] },
          order: { subscription: monthly, ...order },
        });
        scripts.pay = (received, res) =>
          sendXml(
            res,
            signedXml({ ...approval(received), recurring_id, transaction_id: `T-${recurring_id || 'none'}` }),
          );
        expect((await byCard(one.secret)).body).toMatchObject({ status: 'approved' });
        return one;
      },
      async found(query: Record<string, string> = {}, key = apiKey) {
        return subscriptionList.parse((await list(query, key)).body).subscriptions;
      },
      end: (recurring_id: string) => relay.post('/v1/subscription/cancel', apiKey, { recurring_id }),
      notify(id: string, fields: Record<string, string>, secret = account.signingSecret) {
        const message = { merchant_id: account.merchant_id, account_id: account.account_id, ...fields };
        return relay.send(notifyPath(relay, id), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...message, encryption_data: sign(message, secret) }),
        });
      },
    };
  }

  it('shows the contract that a payment began', async () => {
    const { begin, found } = await setUp();
    await begin('');
    const { id, orderNo } = await begin('R-1', { shopper_email: 'ada@example.com', amount: '9.90' });
    const [one, ...others] = await found();
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      ...{ recurring_id: 'R-1', contract_name: 'Tea club', status: 'active', order_no: orderNo, session_id: id },
      ...{ shopper_email: 'a•••@example.com', card: '411111******1111', currency: 'BRL' },
      terms: { contract_amount: '49.90', interval: 'month' },
      first_charge: { transaction_id: 'T-R-1', amount: '9.90' },
      ...{ later_charges: 0, notifications: 0 },
      next_charge: { by: 'terms', amount: '49.90', currency: 'BRL' },
    });
    const days = (Date.parse(one?.next_charge?.date ?? '') - Date.parse(one?.started_at ?? '')) / 86_400_000;
    expect(days).toBeGreaterThan(26);
    expect(days).toBeLessThan(32);
  });

  it('finds contracts by id, order and shopper, page by page', async () => {
    const { begin, found, list } = await setUp();
    const first = await begin('R-1', { shopper_email: 'Ada@example.com' });
    await begin('R-2');
    await begin('R-3');
    const ids = async (query: Record<string, string>) => (await found(query)).map(({ recurring_id }) => recurring_id);
    expect(await ids({})).toEqual(['R-3', 'R-2', 'R-1']);
    expect(await ids({ recurring_id: 'R-2' })).toEqual(['R-2']);
    expect(await ids({ order_no: first.orderNo })).toEqual(['R-1']);
    expect(await ids({ email: 'ada@example.com' })).toEqual(['R-1']);
    expect(await ids({ email: 'ada@example.com', recurring_id: 'R-2' })).toEqual([]);
    const page = subscriptionList.parse((await list({ limit: '2' })).body);
    expect(page.subscriptions).toHaveLength(2);
    expect(await ids({ limit: '2', before: page.next ?? '' })).toEqual(['R-1']);
    expect((await list({ limit: '0' })).status).toBe(400);
    expect((await list({ status: 'active' })).status).toBe(400);
  });

  it('needs the scope console and shows only the own account', async () => {
    const { begin, found, list } = await setUp();
    await begin('R-1');
    expect((await list({}, queryOnlyKey)).status).toBe(403);
    expect(await found({}, otherAccountKey)).toEqual([]);
  });

  it.each([
    ['done', endedWith('1'), { status: 'ended', end: { status: 'answered', outcome: 'succeeded' } }],
    ['declined', endedWith('9'), { status: 'active', end: { status: 'answered', outcome: 'failed' } }],
    ['lost', drop, { status: 'end_unknown', end: { outcome: 'unknown' } }],
  ] satisfies [string, Script, object][])('shows an end that was %s', async (_, script, expected) => {
    const { begin, found, ends, end } = await setUp();
    await begin('R-1');
    ends(script);
    const { headers } = await end('R-1');
    const [one] = await found();
    expect(one).toMatchObject({ ...expected, end: { ...expected.end, by: expect.any(String) } });
    expect(one?.next_charge === undefined).toBe(expected.status !== 'active');
    const named = headers.get('x-operation-id');
    if (named !== null) expect(one?.end?.operation_id).toBe(named);
  });

  it('contains data about the contract from signed notifications', async () => {
    const { begin, found, notify } = await setUp();
    const { id } = await begin('R-1');
    const renewal = { order_no: 'A-R2', transaction_id: 'T-2', payment_status: '3000', recurring_id: 'R-1' };
    for (let times = 0; times < 2; times++) await notify(id, renewal);
    await notify(id, { recurring_id: 'R-1', recurring_status: '0' }, 'another secret');
    // The gateway's records do not show that charge.
    const [one] = await found();
    expect(one).toMatchObject({
      status: 'active',
      later_charges: 0,
      notifications: 2,
      notified_at: expect.any(String),
    });
    await notify(id, { recurring_id: 'R-1', recurring_status: '0' });
    expect(await found()).toMatchObject([{ status: 'ended', recurring_status: '0' }]);
  });

  it('counts the charges that queries proved', async () => {
    const { begin, found, books, reconcile } = await setUp();
    const { orderNo } = await begin('R-1');
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString().replace(/\D/g, '').slice(0, 14);
    const subscription_result = { recurring_id: 'R-1', recurring_status: '1' };
    books.write(orderNo, 'T-2', '3000', { amount: '49.90', transaction_date: later, subscription_result });
    await reconcile(orderNo);
    expect(await found()).toMatchObject([{ later_charges: 1 }]);
  });
});
