import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { approvalList, heldAnswer } from '../../../shared/api/approval.ts';
import { attention } from '../../../shared/api/attention.ts';
import { auditList } from '../../../shared/api/audit.ts';
import { drop } from '../../support/gateways/scripted-gateway.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { person, startMoney } from '../../support/operators/approvals.ts';
import { signIn, type Visitor } from '../../support/operators/console.ts';
import { apiKey } from '../../support/relays/relay.ts';

const DAY_MS = 86_400_000;
const settings = { approval: true, confirm_above: { BRL: '200.00' } };
const people = [
  person('Ada'),
  person('Bob'),
  person('Cyd'),
  person('Dan', { scopes: ['console', 'query', 'capture'] }),
  person('Eve', { limits: { refund: { BRL: '300.00' } } }),
  person('Fay', { accounts: ['other'] }),
];
const at = (path: string, account = 'demo') => `/console/api/${account}/v1/${path}`;
const payout = () => ({
  ...{ request_id: randomUUID(), payment_amount: '900', payment_currency: 'BRL' },
  beneficiary: { first_name: 'Grace', bank_details: { account_number: '00123456789' } },
});

describe.each(stores)('a request above confirm_above, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp(console: object = {}) {
    const money = await startMoney({ newStore, console: { people, ...settings, ...console } });
    const ada = await signIn(money.relay);
    const bob = await signIn(money.relay, 'Bob');
    const listed = async (who: Visitor) => approvalList.parse((await who.get(at('approvals'))).body).approvals;
    return {
      ...{ ...money, ada, bob, listed },
      /** Requests a refund of a payment; returns the waiting request. */
      async ask(refund_amount = '500.00', who = ada) {
        const item = await money.pay();
        const answer = await who.post(at('refund'), { refund_orders: [{ ...item, refund_amount }] });
        expect(answer).toMatchObject({ status: 202, body: { approval: { id: expect.stringMatching(/^ap_/) } } });
        return { ...item, id: heldAnswer.parse(answer.body).approval.id };
      },
      decide: (who: Visitor, id: string, how: string, body: object = {}, key: string = randomUUID()) =>
        who.post(at(`approvals/${id}/${how}`), body, { 'idempotency-key': key }),
      standing: async (id: string) => (await listed(bob)).find((one) => one.id === id)?.status,
    };
  }

  it('waits, is approved by another person, and is sent once', async () => {
    const { ada, bob, ask, decide, listed, sent, standing } = await setUp();
    const { id, transaction_id, order_no } = await ask();
    expect(sent('refund')).toEqual([]);
    const [waiting] = await listed(bob);
    expect(waiting).toMatchObject({
      ...{ id, operation: 'refund', status: 'waiting', by: 'person:Ada', may_decide: true, may_withdraw: false },
      items: [{ transaction_id, order_no, amount: '500.00', currency: 'BRL' }],
      request: { refund_orders: [{ refund_amount: '500.00' }] },
    });
    expect(await listed(ada)).toMatchObject([{ id, may_decide: false, may_withdraw: true }]);
    const done = await decide(bob, id, 'approve');
    expect(done).toMatchObject({ status: 200, body: { refund_orders: [{ outcome: 'succeeded' }] } });
    const operation_id = done.headers.get('x-operation-id');
    expect(sent('refund')).toHaveLength(1);
    expect((await ada.get(at(`operations/${operation_id}`))).body).toMatchObject({
      ...{ by: 'person:Ada', approved_by: 'person:Bob' },
    });
    expect(await listed(ada)).toMatchObject([{ status: 'approved', operation_id, decided: { by: 'person:Bob' } }]);
    // However often it is approved again, and by any person.
    for (const who of [bob, bob]) expect((await decide(who, id, 'approve')).body).toEqual(done.body);
    expect((await decide(bob, id, 'decline')).body).toMatchObject({ code: 'approval_over' });
    expect((await decide(ada, id, 'withdraw')).body).toMatchObject({ code: 'approval_over' });
    expect([sent('refund').length, await standing(id)]).toEqual([1, 'approved']);
  });

  it('is one request per key, and refuses another body', async () => {
    const { ada, pay, listed, sent } = await setUp();
    const item = await pay();
    const body = (refund_amount: string) => ({ refund_orders: [{ ...item, refund_amount }] });
    const once = { 'idempotency-key': 'k-1' };
    const answers = await Promise.all([1, 2, 3].map(() => ada.post(at('refund'), body('500.00'), once)));
    const again = await ada.post(at('refund'), body('500.00'), once);
    expect(again).toMatchObject({ status: 202 });
    for (const one of answers.filter(({ status }) => status !== 409)) expect(one.body).toEqual(again.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await ada.post(at('refund'), body('600.00'), once)).toMatchObject({
      ...{ status: 422, body: { code: 'idempotency_key_reused' } },
    });
    expect([(await listed(ada)).length, sent('refund').length]).toEqual([1, 0]);
  });

  it('is sent once when two people approve it at once', async () => {
    const { bob, relay, start, ask, decide, sent } = await setUp();
    // On SQLite both approve at one relay; on PostgreSQL each at another.
    const other = kind === 'PostgreSQL' ? await start({ console: { people, ...settings } }) : relay;
    const cyd = await signIn(other, 'Cyd');
    const { id } = await ask();
    const answers = await Promise.all([
      decide(bob, id, 'approve'),
      decide(cyd, id, 'approve'),
      decide(bob, id, 'approve'),
    ]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { status, body } of answers) {
      if (status !== 200) expect(['approval_over', 'in_progress']).toContain(body.code);
    }
    expect(sent('refund')).toHaveLength(1);
    expect((await decide(cyd, id, 'approve')).status).toBe(200);
    expect(sent('refund')).toHaveLength(1);
  });

  it('is either approved or declined', async () => {
    const { ada, bob, relay, ask, decide, sent, standing } = await setUp();
    const cyd = await signIn(relay, 'Cyd');
    for (const [who, how] of [
      [cyd, 'decline'],
      [ada, 'withdraw'],
    ] as const) {
      const before = sent('refund').length;
      const { id } = await ask();
      const [approved, ended] = await Promise.all([decide(bob, id, 'approve'), decide(who, id, how)]);
      expect([approved.status, ended.status].toSorted()).toEqual([200, 409]);
      expect(sent('refund').length - before).toBe(approved.status === 200 ? 1 : 0);
      expect(await standing(id)).not.toBe('waiting');
    }
  });

  it('of a payout hides its account from readers of the store', async () => {
    const { ada, bob, relay, listed, decide, sent } = await setUp();
    const body = payout();
    const answer = await ada.post(at('payout'), body);
    expect(answer.status).toBe(202);
    const { id } = heldAnswer.parse(answer.body).approval;
    if (kind === 'SQLite') expect(relay.files().join('')).not.toContain('00123456789');
    expect((await listed(bob))[0]?.request).toEqual(body);
    const dan = await signIn(relay, 'Dan');
    expect((await listed(dan))[0]?.request).toBeUndefined();
    expect(await decide(bob, id, 'approve')).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
    expect(sent('payout')).toMatchObject([body]);
    expect(relay.logLines.join('')).not.toContain('00123456789');
  });

  it('may be made again if nothing was sent', async () => {
    const { ada, bob, relay, start, decide, sent, standing } = await setUp();
    const cut = await start({ gatewayUrl: 'http://127.0.0.1:1', console: { people, ...settings } });
    const [first, second] = [await ada.post(at('payout'), payout()), await ada.post(at('payout'), payout())].map(
      ({ body }) => heldAnswer.parse(body).approval.id,
    );
    const [key, again] = [randomUUID(), await signIn(cut, 'Bob')];
    for (const id of [first, second]) {
      const answer = await decide(again, String(id), 'approve', {}, key);
      expect(answer).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
      expect([sent('payout'), await standing(String(id))]).toEqual([[], 'waiting']);
    }
    expect(await decide(again, String(first), 'decline', { note: 'gateway is down' })).toMatchObject({ status: 200 });
    expect(await decide(bob, String(first), 'approve')).toMatchObject({ body: { code: 'approval_over' } });
    // The same request again, and one by another person.
    const cyd = await signIn(relay, 'Cyd');
    const answers = await Promise.all([
      decide(bob, String(second), 'approve', {}, key),
      decide(cyd, String(second), 'approve'),
    ]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(sent('payout')).toHaveLength(1);
  });

  it('with a lost outcome is not sent again', async () => {
    const { bob, relay, ask, decide, sent, instead } = await setUp();
    const { id } = await ask();
    instead.script = drop;
    const unknown = { status: 409, body: { code: 'outcome_unknown' } };
    const cyd = await signIn(relay, 'Cyd');
    for (const who of [bob, bob, cyd]) expect(await decide(who, id, 'approve')).toMatchObject(unknown);
    expect(sent('refund')).toHaveLength(1);
  });
});

describe('a request for approval', () => {
  async function setUp(console: object = {}) {
    const money = await startMoney({ console: { people, ...settings, ...console } });
    const ada = await signIn(money.relay);
    const post = (path: string, body: object) => ada.post(at(path), body);
    const item = await money.pay();
    const held = async (path: string, body: object) => heldAnswer.parse((await post(path, body)).body).approval.id;
    const refund = (refund_amount: string) => ({ refund_orders: [{ ...item, refund_amount }] });
    const approve = async (id: string, name = 'Bob') =>
      (await signIn(money.relay, name)).post(at(`approvals/${id}/approve`), {});
    return { ...money, ada, post, item, held, refund, approve };
  }

  it('is needed by each way to move money', async () => {
    const { pay, post, sent, relay } = await setUp();
    const bob = await signIn(relay, 'Bob');
    const [one, two] = [await pay(), await pay()];
    const half = (item: object, field: string) => ({ ...item, [field]: '100.01' });
    const ways: [string, object][] = [
      ['refund', { refund_orders: [{ transaction_id: one.transaction_id }] }],
      ['refund', { refund_orders: [half(one, 'refund_amount'), half(two, 'refund_amount')] }],
      ['refund', { refund_orders: [half(one, 'refund_amount'), half(one, 'refund_amount')] }],
      ['capture', { capture_orders: [half(one, 'amount'), half(two, 'amount')] }],
      ['cancel', { cancel_orders: [one] }],
      ['cancel', { cancel_orders: [{ ...one, transaction_id: 'TX-0', amount: '1.00' }] }],
      ['payout', payout()],
      ['payout', { ...payout(), payment_amount: '1', source_amount: '900', source_currency: 'BRL' }],
      [`orders/${one.order_no}/refund`, { reason: 'r' }],
      [`orders/${one.order_no}/capture`, { amount: '200.01' }],
      [`orders/${one.order_no}/cancel`, {}],
    ];
    for (const [path, body] of ways) {
      const answer = await post(path, body);
      expect(answer, path).toMatchObject({ status: 202 });
      await bob.post(at(`approvals/${heldAnswer.parse(answer.body).approval.id}/decline`), {});
    }
    const wrong = { cancel_orders: [{ ...one, amount: '1.00' }] };
    expect(await post('cancel', wrong)).toMatchObject({ status: 400, body: { code: 'amount_differs' } });
    for (const name of ['refund', 'capture', 'cancel', 'payout'] as const) expect(sent(name)).toEqual([]);
  });

  it('is not needed for small amounts, other currencies, or API keys', async () => {
    const { relay, pay, post, refund, sent, item } = await setUp();
    expect(await post('refund', refund('200.00'))).toMatchObject({ status: 200 });
    const euros = await pay({ currency: 'EUR' });
    expect(await post(`orders/${euros.order_no}/refund`, { reason: 'r' })).toMatchObject({ status: 200 });
    expect(await relay.post('/v1/refund', apiKey, refund('800.00'))).toMatchObject({ status: 200 });
    expect(await post('review', { review_orders: [{ ...item, review_flag: 'ACCEPT' }] })).toMatchObject({
      status: 200,
    });
    expect(sent('refund')).toHaveLength(3);
  });

  it('is refused at once if it exceeds the remaining amount', async () => {
    const { post, refund, item } = await setUp();
    const more = { ...item, amount: '2000.00', refund_amount: '1000.01' };
    expect(await post('refund', { refund_orders: [more] })).toMatchObject({
      status: 409,
      body: { code: 'refund_exceeds_payment', errors: [{ path: 'refund_orders.0.refund_amount' }] },
    });
    expect(await post('refund', refund('1000.00'))).toMatchObject({ status: 202 });
    expect(await post(`orders/${item.order_no}/refund`, { amount: '1000.01', reason: 'r' })).toMatchObject({
      body: { code: 'refund_exceeds_payment', errors: [{ path: 'amount' }] },
    });
  });

  it('reserves nothing and is checked again on approval', async () => {
    const { relay, held, refund, approve, sent } = await setUp();
    const id = await held('refund', refund('900.00'));
    expect(await relay.post('/v1/refund', apiKey, refund('150.00'))).toMatchObject({ status: 200 });
    expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment' } });
    expect(sent('refund')).toHaveLength(1);
  });

  it('is refused after a refund that the page did not show', async () => {
    const { ada, relay, item, refund, approve, sent } = await setUp();
    const shown = { 'x-refunded-before': '0.00' };
    const answer = await ada.post(at('refund'), { refund_orders: [{ ...item, refund_amount: '300.00' }] }, shown);
    expect(await relay.post('/v1/refund', apiKey, refund('300.00'))).toMatchObject({ status: 200 });
    const { id } = heldAnswer.parse(answer.body).approval;
    expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment' } });
    expect(sent('refund')).toHaveLength(1);
  });

  it('cannot be approved without permission', async () => {
    const { relay, held, refund, approve, sent, ada } = await setUp();
    const id = await held('refund', refund('500.00'));
    expect(await approve(id, 'Ada')).toMatchObject({ status: 403, body: { code: 'own_request' } });
    expect(await ada.post(at(`approvals/${id}/decline`), {})).toMatchObject({ body: { code: 'own_request' } });
    expect(await approve(id, 'Dan')).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
    expect(await approve(id, 'Eve')).toMatchObject({ status: 403, body: { code: 'above_limit' } });
    expect(await approve(id, 'Fay')).toMatchObject({ status: 404 });
    const fay = await signIn(relay, 'Fay');
    expect(await fay.post(at(`approvals/${id}/approve`, 'other'), {})).toMatchObject({ status: 404 });
    expect((await fay.get(at('approvals', 'other'))).body).toEqual({ approvals: [] });
    for (const path of ['/v1/approvals', '/console/api/demo/v1/approvals']) {
      expect((await relay.get(path, apiKey)).status).toBeGreaterThanOrEqual(401);
      expect((await relay.post(`${path}/${id}/approve`, apiKey, {})).status).toBeGreaterThanOrEqual(401);
    }
    const bob = await signIn(relay, 'Bob');
    for (const [name, value] of [
      ['x-csrf-token', ''],
      ['sec-fetch-site', 'cross-site'],
    ] as const) {
      expect(await bob.post(at(`approvals/${id}/approve`), {}, { [name]: value })).toMatchObject({
        body: { code: 'csrf' },
      });
    }
    expect(await bob.post(at(`approvals/${id}/withdraw`), {})).toMatchObject({ body: { code: 'missing_scope' } });
    expect(sent('refund')).toEqual([]);
    expect(await approve(id)).toMatchObject({ status: 200 });
  });

  it.each([
    ['was renamed', { name: 'Ada Byron' }],
    ['lost the scope', { scopes: ['console'] }],
    ['lost the account', { accounts: ['other'] }],
  ])('is not sent if the requester %s', async (_what, change) => {
    const { held, refund, start, sent } = await setUp();
    const id = await held('refund', refund('500.00'));
    const [first, ...others] = people;
    const relay = await start({ console: { people: [{ ...first, ...change }, ...others], ...settings } });
    const decide = async (name: string, how: string) =>
      (await signIn(relay, name, name === 'Ada Byron' ? 'ada’s' : undefined)).post(at(`approvals/${id}/${how}`), {});
    if ('name' in change) {
      expect(await decide('Ada Byron', 'approve')).toMatchObject({ status: 409, body: { code: 'approval_over' } });
    }
    expect(await decide('Bob', 'approve')).toMatchObject({ status: 409, body: { code: 'approval_over' } });
    expect(await decide('Bob', 'decline')).toMatchObject({ status: 200 });
    expect(sent('refund')).toEqual([]);
  });

  it('belongs to one person, signed in by password or by proxy', async () => {
    const trust = { trust_proxy: ['127.0.0.1'] };
    const money = await startMoney({ config: trust, console: { people, ...settings, trust_header: 'X-User' } });
    const ada = await signIn(money.relay);
    const item = await money.pay();
    const answer = await ada.post(at('refund'), { refund_orders: [{ ...item, refund_amount: '500.00' }] });
    const { id } = heldAnswer.parse(answer.body).approval;
    const headers = { 'x-user': 'Ada' };
    const me = await money.relay.send('/console/api/me', { headers });
    const cookie = (me.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    const approved = await money.relay.send(at(`approvals/${id}/approve`), {
      method: 'POST',
      headers: { ...headers, cookie, 'content-type': 'application/json', 'x-csrf-token': String(me.body.csrf) },
      body: '{}',
    });
    expect(approved).toMatchObject({ status: 403, body: { code: 'own_request' } });
  });

  it('expires after a day', async () => {
    const { relay, held, refund, approve, sent, ada } = await setUp();
    const id = await held('refund', refund('500.00'));
    relay.pass(DAY_MS);
    expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'approval_over' } });
    const again = await signIn(relay);
    expect((await again.get(at('approvals'))).body).toEqual({ approvals: [] });
    expect(await again.post(at(`approvals/${id}/withdraw`), {})).toMatchObject({ body: { code: 'approval_over' } });
    expect(sent('refund')).toEqual([]);
    expect(ada).toBeDefined();
  });

  it('stays when the limits change or approval is switched off', async () => {
    const { held, refund, start, sent, pay } = await setUp();
    const other = { refund_orders: [{ ...(await pay()), refund_amount: '400.00' }] };
    const [first, second] = [await held('refund', refund('300.00')), await held('refund', other)];
    for (const [id, console] of [
      [first, { people, approval: true, confirm_above: { BRL: '900.00' } }],
      [second, { people }],
    ] as const) {
      const relay = await start({ console });
      const ada = await signIn(relay);
      expect(await ada.post(at(`approvals/${id}/approve`), {})).toMatchObject({ status: 403 });
      const bob = await signIn(relay, 'Bob');
      expect(await bob.post(at(`approvals/${id}/approve`), {})).toMatchObject({ status: 200 });
    }
    expect(sent('refund')).toHaveLength(2);
  });

  it('is counted for API keys and for people who may decide it', async () => {
    const { relay, held, refund } = await setUp();
    const id = await held('refund', refund('500.00'));
    const countFor = async (body: unknown) => {
      const group = attention.parse(body).groups.find((one) => one.kind === 'approval');
      return group?.cases.map(({ approval_id }) => approval_id);
    };
    for (const [name, cases] of [
      ['Ada', []],
      ['Bob', [id]],
      ['Dan', []],
    ] as const) {
      const who = await signIn(relay, name);
      expect([name, await countFor((await who.get(at('attention'))).body)]).toEqual([name, cases]);
    }
    expect(await countFor((await relay.get('/v1/attention', apiKey)).body)).toEqual([id]);
  });

  it('is in the audit log with its amount and outcome', async () => {
    const { ada, relay, held, refund, approve, item } = await setUp();
    const declined = await held('refund', refund('400.00'));
    const bob = await signIn(relay, 'Bob');
    await bob.post(at(`approvals/${declined}/decline`), { note: 'no' });
    await ada.post(at(`approvals/${await held('refund', refund('500.00'))}/withdraw`), {});
    const approved = await held('refund', refund('300.00'));
    const operation = (await approve(approved)).headers.get('x-operation-id');
    const { entries } = auditList.parse((await ada.get(at(`audit?order_no=${item.order_no}`))).body);
    const rows = entries.map(({ action, by, subject, items, outcome }) => [
      action,
      by,
      items?.[0]?.amount,
      outcome,
      subject,
    ]);
    expect(rows.slice(0, 6)).toEqual([
      ['approval.approve', 'person:Bob', '300.00', 'succeeded', operation],
      ['approval.request', 'person:Ada', '300.00', undefined, approved],
      ['approval.withdraw', 'person:Ada', '500.00', undefined, expect.stringMatching(/^ap_/)],
      ['approval.request', 'person:Ada', '500.00', undefined, expect.stringMatching(/^ap_/)],
      ['approval.decline', 'person:Bob', '400.00', undefined, declined],
      ['approval.request', 'person:Ada', '400.00', undefined, declined],
    ]);
  });

  it('waits if the relay cannot know its amount', async () => {
    const { ada } = await setUp();
    const usd = { ...payout(), payment_amount: '100000', payment_currency: 'USD', source_currency: 'BRL' };
    expect((await ada.post(at('payout'), usd)).status).toBe(202);
    const unknown = { transaction_id: 'TX-77', order_no: 'X', currency: 'ZZZ', amount: '90000.00' };
    const refund = { refund_orders: [{ ...unknown, refund_amount: '90000.00' }] };
    expect((await ada.post(at('refund'), refund)).status).toBe(202);
    expect((await ada.post(at('capture'), { capture_orders: [unknown] })).status).toBe(202);
  });

  it('is made only once for a payment while it waits', async () => {
    const { ada, relay, held, refund, item } = await setUp();
    const bob = await signIn(relay, 'Bob');
    const id = await held('refund', refund('500.00'));
    const again = { refund_orders: [{ ...item, refund_amount: '400.00' }] };
    const refused = await ada.post(at('refund'), again);
    expect(refused).toMatchObject({ status: 409, body: { code: 'approval_waiting' } });
    expect((await bob.post(at(`approvals/${id}/decline`), {})).status).toBe(200);
    expect((await ada.post(at('refund'), again)).status).toBe(202);
  });

  it('has no card number', async () => {
    const { post, item } = await setUp();
    const spoiled = { ...item, refund_amount: '500.00', refund_reason: 'card 4111111111111111' };
    expect(await post('refund', { refund_orders: [spoiled] })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });
});
