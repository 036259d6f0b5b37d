import { describe, expect, it } from 'vitest';
import { notifyPath } from '../../support/gateways/notified.ts';
import {
  approval,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { ordersOf, stores, storesOf } from '../../support/gateways/settlement.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { sharedPostgres } from '../../support/stores/postgres.ts';

const pan = '4000001234567899';
const securityCode = '9173';
const secretCard = { ...card, card: pan, security_code: securityCode };

/** Gateways that send back everything that they received. */
const gateways: Record<string, Script> = {
  'that approves and echoes card data everywhere': (received, res) =>
    sendXml(
      res,
      signedXml({
        ...approval(received),
        card: pan,
        transaction_id: pan,
        recurring_id: `r ${pan}`,
        result_info: `0000:${pan} ${securityCode}`,
        note: pan,
        recurring_deduction_period: `cvv=${securityCode}`,
        recurring_deduction_time: `${securityCode} ${pan.replace(/(.{4})(?=.)/g, '$1&#45;')}`,
        acquirer_text: `${securityCode} ${pan}`,
      }),
    ),
  'that declines and names the card': (received, res) =>
    sendXml(
      res,
      signedXml({ ...approval(received), order_status: '0', result_info: `2003:${pan} code ${securityCode} wrong` }),
    ),
  'that refuses with the whole message': (received, res) => res.writeHead(400).end(`Invalid input: ${received.raw}`),
  'that breaks and prints the message': (received, res) => res.writeHead(500).end(`<pre>${received.raw}</pre>`),
  'that answers with something else': (received, res) => res.end(`<respon><dump>${received.raw}</dump>`),
  'that never answers': () => undefined,
};

/** Every row of a relay's PostgreSQL, as text; empty if its store is a file. */
async function rowsOf({ context: { config } }: TestRelay): Promise<string[]> {
  if (!config.store.startsWith('postgres')) return [];
  const { query } = await sharedPostgres();
  const tables = await query(
    config.store,
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema = 'turnpike'",
  );
  const rows = await Promise.all(tables.map(({ name }) => query(config.store, `SELECT t::text AS row FROM ${name} t`)));
  return rows.flat().map(({ row }) => String(row));
}

describe.each(stores)('a card number and its security code, with %s,', (kind) => {
  const newStore = storesOf(kind);

  for (const [what, script] of Object.entries(gateways)) {
    it(`appear in no file, answer or webhook, with a gateway ${what}`, async () => {
      const gateway = await scriptedGateway((received, res, req) => {
        if (received.path === '/v1/authorise') script(received, res, req);
        else {
          const fraud_check_result = [{ check_items: pan, status: `REJECT ${pan}` }];
          const echoed = { decline_reason: `card ${pan}`, fraud_check_result, query_result: pan, acquirer_text: pan };
          sendRecords(
            res,
            ordersOf(received).map((order_no) => ({ ...echoed, order_no })),
          );
        }
      });
      const shop = await startReceiver();
      const config = { ...withReceiver(shop.url), ...(await newStore()) };
      const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 4000, config });
      const { secret, id } = await relay.session();
      const { body } = await relay.pay(secret, secretCard);
      await relay.get('/checkout/api/session', secret);
      await relay.get(`/checkout/${id}`);
      await relay.get(`/return/${id}`);
      await relay.truth(id);
      await relay.post('/v1/query', apiKey, { orders: ['A-1'] });
      await relay.send(notifyPath(relay, id), { method: 'POST', body: 'order_no=A-1' });
      const webhook = await shop.one('notification.received');
      expect(webhook.data.records).toMatchObject([
        { order_no: 'A-1', fraud_check_result: [{ status: 'REJECT 400000******7899' }] },
      ]);
      if (body.status === 'approved') {
        const { data } = await shop.one('session.approved');
        expect(data).toMatchObject({ recurring_deduction_period: expect.stringMatching(/^cvv=\D/) });
      }

      // The gateway did receive the card, so the search of this test works.
      expect(gateway.authorised()[0]?.raw).toContain(pan);
      const stored = [...relay.files(), ...(await rowsOf(relay))];
      const webhooks = shop.received.map(({ raw }) => raw);
      expect(stored.join('')).toContain('cs_');
      expect(relay.logLines.length).toBeGreaterThan(0);
      for (const text of [...stored, ...webhooks, ...relay.logLines, ...relay.answers]) {
        expect(text).not.toContain(pan);
        expect(text).not.toMatch(new RegExp(`(?<![\\w-])${securityCode}(?![\\w-])`));
      }
    });
  }
});

describe('a card number and its security code', () => {
  it('appear in no file or answer when typed into other fields', async () => {
    const gateway = await scriptedGateway((received, res) => {
      if (received.path !== '/v1/authorise') return sendRecords(res, []);
      sendXml(res, signedXml({ ...approval(received), order_status: '0', result_info: '2003:No' }));
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret } = await relay.session({ collect: ['billing_address', 'delivery_address', 'phone', 'document'] });
    const set = pan.replace(/(.{4})(?=.)/g, '$1 ');
    const refused = [
      { first_name: set.slice(0, 14), last_name: set.slice(15) },
      { first_name: `Ada ${pan}`, billing_address: `${set} 12/30 ${securityCode}` },
      { document: pan, shopper_phone: set },
      { first_name: set.slice(0, 9), last_name: set.slice(10) },
      { delivery_firstname: set.slice(0, 9), delivery_lastname: set.slice(10) },
      { delivery_city: `${pan}1` },
      { billing_address: `Rua ${set.slice(0, 9)}, ${set.slice(10)}` },
    ];
    for (const typed of refused) {
      expect(await relay.pay(secret, { ...secretCard, ...typed })).toMatchObject({ body: { code: 'invalid_request' } });
    }
    const sent = [
      { first_name: set.slice(0, 4), last_name: set.slice(5, 12), billing_city: 'Recife' },
      { delivery_firstname: set.slice(10), delivery_lastname: 'Byron', billing_state: securityCode },
      { billing_address: `Rua ${set.slice(0, 9)}`, delivery_city: 'Olinda' },
    ];
    for (const typed of sent) {
      expect(await relay.pay(secret, { ...secretCard, ...typed })).toMatchObject({ body: { status: 'declined' } });
    }
    const { body } = await relay.get('/checkout/api/session', secret);
    // A number that is no card is kept, so the search of this test works.
    expect(body.prefill).toMatchObject({ first_name: 'Ada', billing_city: 'Recife' });
    expect(relay.files().join('')).toContain('"billing_city":"Recife"');
    const digits = (text: string) => text.replace(/[ "':,{}_a-z-]/gi, '');
    for (const text of [...relay.files(), ...relay.logLines, ...relay.answers]) {
      for (const typed of [pan, set, set.slice(0, 14), set.slice(5), set.slice(0, 9), set.slice(5, 12), set.slice(10)])
        expect(text).not.toContain(typed);
      expect(digits(text)).not.toContain(pan);
      expect(text).not.toMatch(new RegExp(`(?<![\\w-])${securityCode}(?![\\w-])`));
    }
  });

  it('leave the number of an article unmasked', async () => {
    const ean = '4006381300063';
    const gateway = await scriptedGateway((received, res) => sendXml(res, signedXml(approval(received))));
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const items = [{ name: `Pen ${ean}`, code: ean, price: '129.90', quantity: 1 }];
    const { secret } = await relay.session({ order: { custom: ean, note: `EAN ${ean}`, items } });
    expect(await relay.pay(secret, card)).toMatchObject({ body: { status: 'approved' } });
    const sent = { custom: ean, note: `EAN ${ean}`, items: `Pen ${ean}#,#${ean}#,#129.90#,#1` };
    expect(gateway.authorised()[0]?.message).toMatchObject(sent);
  });

  it('appear in no answer or log line of an invalid request', async () => {
    const gateway = await scriptedGateway(() => undefined);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret } = await relay.session();
    await relay.pay(secret, { ...secretCard, [pan]: pan });
    await relay.pay(secret, { ...secretCard, expiration_month: pan, first_name: '\u0000' });
    await relay.post('/checkout/api/pay', secret, `{"card":"${pan}",`);
    await relay.post('/checkout/api/pay', 'wrong', secretCard);
    await relay.post('/v1/sessions', apiKey, { order: { card: pan } });
    expect(gateway.received).toEqual([]);
    for (const text of [...relay.files(), ...relay.logLines, ...relay.answers]) expect(text).not.toContain(pan);
  });
});
