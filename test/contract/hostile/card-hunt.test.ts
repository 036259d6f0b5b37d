import { describe, expect, it } from 'vitest';
import { leavesOf, type Target, targetsOf, withValue } from '../../corpus/routes.ts';
import { obliging } from '../../support/gateways/compliant-gateway.ts';
import { issuer } from '../../support/gateways/issuer-servers.ts';
import { notifyPath } from '../../support/gateways/notified.ts';
import {
  approval,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, order, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';

const pan = '4000001234567899';
const code = '9173';
const groups = pan.match(/.{4}/g) ?? [];
const spellings = {
  plain: pan,
  spaced: groups.join(' '),
  dashed: groups.join(' - '),
  encoded: groups.join('%20'),
  entities: groups.join('&#160;'),
  'full-width': [...pan].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(''),
  'after a percent sign': `100%${pan}`,
  'after a JSON escape cut short': `\\u${pan}`,
  'after a hexadecimal escape cut short': `\\x${pan}`,
  'after an entity cut short': `&#${pan}`,
};
const secretCard = { ...card, card: pan, security_code: code };

async function setUp(script: Script = obliging) {
  const [receiver, gateway] = await Promise.all([startReceiver(), scriptedGateway(script)]);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: withReceiver(receiver.url) });
  return { relay, gateway, receiver };
}

/** Searches for the card in every byte that a relay wrote, logged, answered or sent to the shop. */
function hunt({ relay, receiver }: Pick<Awaited<ReturnType<typeof setUp>>, 'relay' | 'receiver'>): void {
  const written = [
    ...relay.files(),
    // The file and its write-ahead log are searched as bytes and as UTF-8.
    ...relay.files().map((bytes) => Buffer.from(bytes, 'latin1').toString('utf8')),
    ...relay.logLines,
    ...relay.answers,
    ...receiver.received.flatMap(({ raw, headers }) => [raw, JSON.stringify(headers)]),
  ];
  expect(relay.files().join('')).toContain('cs_');
  for (const text of written) {
    const plain = text
      .normalize('NFKC')
      .replace(/%20|&#160;|\\u00a0/g, '')
      .replace(/[^0-9A-Za-z]+/g, '');
    const at = plain.indexOf(pan);
    expect(at < 0 ? '' : plain.slice(at - 60, at + 20)).toBe('');
    expect(/(?:cvv|code)\W{0,4}9173/.exec(text)?.[0]).toBeUndefined();
  }
}

const cardTargets = ['card payment', 'pay by card'];

/** Fields with free text. Any other field may be an identifier and is not masked. */
const freeTexts =
  /(^|\.)(note|custom|reason|refund_reason|client_data|first_name|last_name|\w+_(city|address)|address_street)$|(^|\.)items\.\d\.name$/;

function placesOf(target: Target) {
  const own = cardTargets.includes(target.name);
  const body = own ? { ...target.body(), ...secretCard, ...everywhere(target) } : target.body();
  return leavesOf(body)
    .filter(({ path }) => !/^(card|security_code|expiration_\w+)$/.test(path))
    .filter(({ path }) => own || (freeTexts.test(path) && !path.startsWith('beneficiary') && !path.startsWith('payer')))
    .map(({ path }) => ({ path, body }));
}

/** Fields that only a shop's server can send. */
function everywhere({ name }: Target): object {
  if (name !== 'card payment') return {};
  return {
    custom: 'c',
    shopper_id: 's',
    shopper_email: 'ada@example.com',
    shopper_phone: '+5581999990001',
    billing_address: 'Rua 1',
    billing_postal_code: '50050-000',
    delivery_firstname: 'Ada',
    delivery_address: 'Rua 1',
    platform_source: 'web',
    quote_id: 'q',
    session_id: 's',
    user_agent: 'u',
    cookie_new: 'c',
    device_fingerprint: 'f',
    antifraud_token_cookie: 'a',
    cart_items: [{ basic_item_data: { name: 'Tea', category: 'c', productId: 'p' } }],
    account_owner: [{ first_name: 'Ada', email: 'ada@example.com', account_id: '1' }],
    total_discount: [{ coupon_code_used: 'c', discount_type: 'd' }],
    subscription: { contract_name: 'Tea', interval: 'month', interval_count: '1' },
  };
}

async function send(relay: TestRelay, { path, bearer }: Target, body: unknown, headers = {}) {
  return relay.post(path, bearer, body, headers);
}

/** Each place gets two of the spellings in turn: the masking does not depend on the place. */
function isTurn(at: number, written: string): boolean {
  return at % 5 === Object.values(spellings).indexOf(written) % 5;
}

describe('the card appears in no store, log, answer or webhook', () => {
  it.each(Object.entries(spellings))('in any field of a body, %s', async (_how, written) => {
    const world = await setUp();
    for (const target of await targetsOf(world.relay)) {
      for (const [at, { path, body }] of placesOf(target).entries()) {
        if (!isTurn(at, written)) continue;
        const placed = withValue(withOrder(body), path, `x ${written} cvv ${code}`);
        const answer = await send(world.relay, target, placed);
        if (target.name !== 'card payment') continue;
        expect(answer, path).toMatchObject({ status: 400, body: { errors: [{ path }] } });
      }
    }
    hunt(world);
  });

  it.each(Object.entries(spellings))('in headers, addresses and names of fields, %s', async (_how, written) => {
    const world = await setUp();
    const isVisible = /^[!-~]+$/.test(written);
    const inHeader = isVisible ? written.replaceAll('\\', '%5C') : encodeURIComponent(written).replaceAll('%20', '-');
    for (const [at, target] of (await targetsOf(world.relay)).entries()) {
      if (!isTurn(at, written)) continue;
      const headers = {
        'x-request-id': `req-1-${inHeader}`,
        'idempotency-key': `${target.name}-1-${inHeader}`.replaceAll(' ', '.'),
      };
      const answer = await send(world.relay, target, withOrder(target.body()), headers);
      expect(answer.headers.get('x-request-id')).not.toContain('4000');
      await send(world.relay, target, { ...target.body(), [written]: 1, [`card ${written}`]: { [written]: 1 } });
      await send(world.relay, { ...target, path: `${target.path}?card=${encodeURIComponent(written)}` }, {});
      await world.relay.get(`${target.path}/${encodeURIComponent(written)}`, target.bearer);
    }
    for (const path of ['checkout', 'return', 'v1/sessions', 'v1/operations', 'v1/events']) {
      await world.relay.get(`/${path}/${encodeURIComponent(written)}?card=${encodeURIComponent(written)}`, apiKey);
    }
    await world.relay.post(`/v1/orders/${encodeURIComponent(written)}/reconcile`, apiKey, {});
    hunt(world);
  });

  it('in a changed order, whose note is masked for the gateway too', async () => {
    const world = await setUp();
    const { id, secret } = await world.relay.session();
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const change = JSON.stringify({ order: { note: `card ${spellings.spaced} cvv ${code}` } });
    const changed = await world.relay.send(`/v1/sessions/${id}`, { method: 'PATCH', headers, body: change });
    expect(changed.status).toBe(200);
    expect((await world.relay.pay(secret, { ...card, revision: 2 })).body).toMatchObject({ status: 'declined' });
    expect(world.gateway.authorised()[0]?.message.note).toBe('card 400000******7899 cvv ***');
    hunt(world);
  });

  it('in a session’s order that the card then pays', async () => {
    const world = await setUp();
    const text = `card ${spellings.spaced} cvv ${code}`;
    const person = { address_street: text };
    const written = {
      custom: text,
      delivery_firstname: text,
      cart_items: [{ basic_item_data: { name: text } }],
      person,
    };
    const { secret } = await world.relay.session({ order: { ...order(), ...written } });
    expect((await world.relay.pay(secret, secretCard)).body).toMatchObject({ status: 'declined' });
    expect(world.gateway.authorised()[0]?.message.custom).toBe('card 400000******7899 cvv ***');
    hunt(world);
  });

  it('in names and addresses of a notified record', async () => {
    const written = `card ${spellings.spaced} cvv ${code}`;
    const world = await setUp((received, res) => {
      if (received.path === '/v1/authorise') return sendXml(res, signedXml(approval(received)));
      const sum = { amount: '1.00', currency: 'BRL', payment_status: '3000' };
      const information = { delivery_firstname: written, delivery_address: written };
      sendRecords(res, [{ ...sum, order_no: 'renewal', transaction_id: 'T9', delivery_information: information }]);
    });
    await world.relay.session();
    const body = JSON.stringify({ order_no: 'renewal', transaction_id: 'T9' });
    await world.relay.send(notifyPath(world.relay, 'cs_long_forgotten'), { method: 'POST', body });
    expect((await world.receiver.one('notification.received')).data).toMatchObject({
      records: [{ delivery_information: { delivery_firstname: 'card 400000******7899 cvv ***' } }],
    });
    hunt(world);
  });

  it('in an Idempotency-Key, which still identifies its request', async () => {
    const world = await setUp();
    const pay = (body: object) =>
      world.relay.post('/v1/payments', apiKey, body, { 'idempotency-key': `pay-${groups.join('-')}` });
    const body = { ...order(), ...secretCard };
    const [first, again] = [await pay(body), await pay(body)];
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await pay({ ...body, note: 'other' })).toMatchObject({ status: 422 });
    expect(world.gateway.authorised()).toHaveLength(1);
    hunt(world);
  });

  it.each(Object.entries(spellings))('in a query’s decline_reason, %s', async (_how, written) => {
    const world = await setUp((received, res) => {
      if (received.path === '/v1/authorise') return void res.writeHead(500).end(received.raw);
      const { orders: order_no } = received.message;
      const reason = { decline_reason: `card ${written} cvv ${code}`, payment_status: '4100', amount: '129.90' };
      sendRecords(res, [{ ...reason, order_no, currency: 'BRL', transaction_id: '00012345678901234567' }]);
    });
    const { secret, id } = await world.relay.session();
    expect((await world.relay.pay(secret, secretCard)).body).toMatchObject({ status: 'unknown' });
    await world.receiver.one('session.declined');
    const masked = /card (?:100%|\\+u|\\+x|&#)?400000\*{6}7899 cvv \*{3}"/;
    expect(JSON.stringify((await world.relay.truth(id)).result)).toMatch(masked);
    expect((await world.relay.get('/checkout/api/session', secret)).text).toMatch(masked);
    await world.relay.get(`/checkout/${id}`);
    await world.relay.post('/v1/query', apiKey, { orders: ['A-1'] });
    hunt(world);
  });

  it.each(Object.entries(spellings))('in an issuer_url, which makes the payment unknown, %s', async (_how, written) => {
    const world = await setUp((received, res) => {
      if (received.path !== '/v1/authorise') return sendRecords(res, []);
      const issuer_url = `https://issuer.example/?card=${written}`;
      sendXml(res, signedXml({ ...approval(received), order_status: '', result_info: '', issuer_url }));
    });
    const { secret, id } = await world.relay.session();
    expect((await world.relay.pay(secret, secretCard)).body).toEqual({ status: 'unknown' });
    expect(await world.relay.truth(id)).toMatchObject({ unknown: { reason: 'card_in_issuer_url' } });
    await world.relay.get(`/checkout/${id}`);
    hunt(world);
  });

  it.each(Object.entries(spellings))('in a redirect of the issuer, %s', async (_how, written) => {
    const bank = await issuer({ '/pay': `/page?ref=${encodeURI(written)}` });
    const world = await setUp((received, res) => {
      if (received.path !== '/v1/authorise') return sendRecords(res, []);
      const issuer_url = `${bank.url}/pay`;
      sendXml(res, signedXml({ ...approval(received), order_status: '', result_info: '', issuer_url }));
    });
    const { secret, id } = await world.relay.session();
    const { pathname, search } = new URL(String((await world.relay.pay(secret, secretCard)).body.redirect_url));
    const sent = await world.relay.get(`${pathname}${search}`);
    expect(sent).toMatchObject({ status: 502 });
    expect(bank.asked).toEqual(['GET /pay']);
    expect(await world.relay.truth(id)).toMatchObject({ unknown: { reason: 'card_in_issuer_url' } });
    hunt(world);
  });
});

/** A body of an order with a unique number, so that no other payment holds the order. */
function withOrder(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  if ('order_no' in body) return { ...body, order_no: order().order_no };
  if (!('order' in body) || typeof body.order !== 'object') return body;
  return { ...body, order: { ...body.order, order_no: order().order_no } };
}
