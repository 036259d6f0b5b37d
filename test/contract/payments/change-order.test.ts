import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import {
  approval,
  approving,
  type Received,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { documented } from '../../support/relays/documented.ts';
import {
  account,
  apiKey,
  card,
  order,
  otherAccountKey,
  queryOnlyKey,
  shopOrigin,
  startTestRelay,
} from '../../support/relays/relay.ts';
import { sharedPostgres, type TestPostgres } from '../../support/stores/postgres.ts';

/** Payments that coincide with a change. */
const ROUNDS = 12;

const PATH = '/v1/sessions/{id}';

async function setUp(script: Script = approving, config: Record<string, unknown> = {}) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 20_000, config });
  const reference = documented();
  const patchWith = (bearer: string, id: string, body: unknown, type = 'application/json') =>
    relay.send(`/v1/sessions/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const patch = async (id: string, body: unknown, bearer = apiKey) => {
    const answer = await patchWith(bearer, id, body);
    reference.check('patch', PATH, answer);
    return answer;
  };
  return { gateway, relay, reference, patch, patchWith };
}

/** A gateway that declines every payment. */
const declining: Script = (received, res) => {
  if (received.path !== '/v1/authorise') return sendRecords(res, []);
  sendXml(res, signedXml({ ...approval(received), order_status: '0', result_info: '2001:Insufficient funds' }));
};

describe('PATCH /v1/sessions/:id', () => {
  it('returns the next revision, which the form shows and pays', async () => {
    const { gateway, relay, patch } = await setUp();
    const { id, secret } = await relay.session();
    const changed = await patch(id, { order: { amount: '149.8', shipping: '19.90' } });
    expect(changed).toMatchObject({ status: 200, body: { id, status: 'open', amount: '149.80', revision: 2 } });
    expect(changed.headers.get('cache-control')).toBe('no-store');
    expect(await relay.truth(id)).toEqual(changed.body);
    const { body: shown } = await relay.get('/checkout/api/session', secret);
    expect(shown).toMatchObject({ amount: '149.80', revision: 2 });
    expect(await relay.pay(secret, { ...card, revision: 2 })).toMatchObject({ body: { status: 'approved' } });
    expect(gateway.authorised()[0]?.message).toMatchObject({ amount: '149.80', shipping: '19.90' });
  });

  it('blocks payment of the previous amount', async () => {
    const { gateway, relay, patch } = await setUp();
    const { id, secret } = await relay.session();
    await patch(id, { order: { amount: '149.80' } });
    for (const revision of [undefined, 1, 3]) {
      const answer = await relay.pay(secret, { ...card, ...(revision ? { revision } : {}) });
      expect(answer).toMatchObject({ status: 409, body: { code: 'session_changed' } });
    }
    expect(gateway.authorised()).toEqual([]);
    expect(await relay.truth(id)).toMatchObject({ attempts: [] });
  });

  it('can be repeated and needs no Idempotency-Key', async () => {
    const { relay, patch } = await setUp();
    const { id } = await relay.session();
    const first = await patch(id, { order: { amount: '149.80' } });
    expect((await patch(id, { order: { amount: '149.80' } })).body).toEqual(first.body);
    expect((await patch(id, { order: {} })).body).toEqual(first.body);
  });

  it('leaves the amount of an unknown attempt, which proves it', async () => {
    let known = false;
    const sent: Received[] = [];
    const script: Script = (received, res, req) => {
      if (received.path === '/v1/authorise') {
        if (sent.push(received) === 1) declining(received, res, req);
        else res.destroy();
        return;
      }
      const { amount, currency, order_no } = sent[1]?.message ?? {};
      sendRecords(res, known ? [{ amount, currency, order_no, transaction_id: 'T2', payment_status: '3000' }] : []);
    };
    const { relay, patch } = await setUp(script, { resolve: { first_ms: 50, max_ms: 50 } });
    const { id, secret } = await relay.session();
    await relay.pay(secret, card);
    await patch(id, { order: { amount: '149.80' } });
    expect(await relay.pay(secret, { ...card, revision: 2 })).toMatchObject({ body: { status: 'unknown' } });
    expect(await patch(id, { order: { amount: '1.00' } })).toMatchObject({
      status: 409,
      body: { code: 'attempt_in_flight' },
    });
    known = true;
    expect(await relay.settled(id, 'unknown', 'processing')).toMatchObject({
      status: 'approved',
      amount: '149.80',
      attempts: [
        { status: 'declined', amount: '129.90' },
        { status: 'approved', amount: '149.80' },
      ],
    });
    expect(await patch(id, { order: {} })).toMatchObject({ status: 409, body: { code: 'session_final' } });
  });

  it('refuses only as documented', async () => {
    const { relay, reference, patch, patchWith } = await setUp();
    const { id, orderNo } = await relay.session({ order: { note: 'n' } });
    const valid = { order: { order_no: orderNo, amount: '1.00', note: null, items: null, person: { email: 'e' } } };
    expect(reference.isValidBody(PATH, valid, 'patch')).toBe(true);
    expect(await patch(id, valid)).toMatchObject({ status: 200, body: { amount: '1.00' } });
    expect((await relay.context.store.sessions.get(id))?.terms.order).not.toHaveProperty('note');
    const wrong: [string, unknown][] = [
      ['order', {}],
      ['order', { order: null }],
      ['order', { order: [] }],
      ['installment_options.0.installments', { order: {}, installment_options: [{}] }],
      ['return_url', { order: {}, return_url: 'demoapp://paid' }],
      ['order.amount', { order: { amount: null } }],
      ['order.amount', { order: { amount: '-1' } }],
      ['order.shiping', { order: { shiping: '1.00' } }],
      ['order.shiping', { order: { shiping: null } }],
    ];
    // Written as text: in an object literal it would be the prototype.
    wrong.push(['order.__proto__', JSON.parse('{"order":{"__proto__":{"amount":"1.00"}}}')]);
    wrong.push(['__proto__', JSON.parse('{"order":{},"__proto__":{}}')]);
    for (const [path, body] of wrong) {
      expect(reference.isValidBody(PATH, body, 'patch'), JSON.stringify(body)).toBe(false);
      const answer = await patch(id, body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(JSON.stringify(answer.body.errors), JSON.stringify(body)).toContain(`"path":"${path}"`);
    }
    const another = { order: { order_no: order().order_no } };
    expect(reference.isValidBody(PATH, another, 'patch')).toBe(true);
    expect((await patch(id, another)).text).toContain('"path":"order.order_no"');
    expect(reference.rulesOf(PATH, 'patch')).toContain('`order_no`');

    expect(await patch(id, valid, otherAccountKey)).toMatchObject({ status: 404 });
    expect(await patch('cs_none', valid)).toMatchObject({ status: 404 });
    expect(await patch(id, valid, 'wrong')).toMatchObject({ status: 401 });
    expect(await patch(id, valid, queryOnlyKey)).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
    expect(await patch(id, '{')).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    const form = await patchWith(apiKey, id, 'order=1', 'application/x-www-form-urlencoded');
    reference.check('patch', PATH, form);
    expect(form.status).toBe(415);
    const elsewhere = await relay.send(`/v1/sessions/${id}`, { method: 'DELETE' });
    reference.check('patch', PATH, elsewhere);
    expect(elsewhere).toMatchObject({ status: 405, headers: expect.anything() });
    expect(elsewhere.headers.get('allow')).toBe('GET, HEAD, PATCH');
  });

  it('masks card numbers', async () => {
    const { relay, patch } = await setUp();
    const { id } = await relay.session();
    await patch(id, { order: { card: card.card } });
    await patch(id, { order: { [card.card]: card.card } });
    await patch(id, `{"order":{"card":"${card.card}"`);
    for (const text of [...relay.files(), ...relay.logLines, ...relay.answers]) expect(text).not.toContain(card.card);
  });

  it('repeats the answer under an Idempotency-Key, after secret rotation too', async () => {
    const { gateway, relay, patch } = await setUp(declining);
    const body = { order: order(), collect: ['email'] };
    const headers = { 'idempotency-key': 'one' };
    const made = await relay.post('/v1/sessions', apiKey, body, headers);
    const { id, client_secret } = made.body;
    const typed = { ...card, shopper_email: 'ada@example.com' };
    expect(await relay.pay(String(client_secret), typed)).toMatchObject({ body: { status: 'declined' } });
    await patch(String(id), { order: { amount: '1.00' } });
    expect((await relay.post('/v1/sessions', apiKey, body, headers)).text).toBe(made.text);
    await relay.stop();

    const { merchant_id, account_id, signingSecret } = account;
    const rotated = {
      ...{ id: 'demo', merchant_id, account_id, signing_secret: 'the next secret' },
      previous_signing_secrets: [signingSecret],
      allowed_origins: [shopOrigin],
      api_keys: [{ name: 'all', sha256: sha256(apiKey), scopes: ['*'] }],
    };
    const next = await startTestRelay({
      gatewayUrl: gateway.url,
      folder: relay.folder,
      config: { accounts: [rotated] },
    });
    const again = await next.post('/v1/sessions', apiKey, body, headers);
    expect(again.status).toBe(201);
    expect(again.text).toBe(made.text);
    for (const other of [
      { ...body, collect: [] },
      { ...body, order: order() },
    ]) {
      const reused = await next.post('/v1/sessions', apiKey, other, headers);
      expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
  });
});

describe('a change during a payment', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  it.each(['SQLite', 'PostgreSQL'])('never charges an amount that was not shown: %s', async (kind) => {
    const config = kind === 'SQLite' ? {} : { store: await postgres?.database() };
    const { gateway, relay, patch } = await setUp(approving, config);
    const met = { paid: 0, changed: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const { id, secret, orderNo } = await relay.session();
      const change = () => patch(id, { order: { amount: '999.00' } });
      // The order of arrival at the relay changes from round to round.
      const early = round % 2 === 0 ? change() : undefined;
      const [paid, changed] = await Promise.all([relay.pay(secret, { ...card, revision: 1 }), early ?? change()]);
      const sent = gateway.authorised().filter(({ message }) => message.order_no === orderNo);
      if (paid.status === 200) {
        met.paid += 1;
        expect(sent.map(({ message }) => message.amount)).toEqual(['129.90']);
        expect(changed.status).toBe(409);
        expect(['attempt_in_flight', 'session_final']).toContain(changed.body.code);
        expect(await relay.truth(id)).toMatchObject({ status: 'approved', amount: '129.90', revision: 1 });
      } else {
        met.changed += 1;
        expect(paid).toMatchObject({ status: 409, body: { code: 'session_changed' } });
        expect(sent).toEqual([]);
        expect(changed).toMatchObject({ status: 200, body: { amount: '999.00', revision: 2 } });
      }
    }
    expect(met.paid + met.changed).toBe(ROUNDS);
  });
});
