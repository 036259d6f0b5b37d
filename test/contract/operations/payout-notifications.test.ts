import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import { sha256 } from '../../../relay/base/keys.ts';
import { PAUSE_MS } from '../../../relay/webhooks/delivery.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { storedNotifications } from '../../support/gateways/notified.ts';
import { scriptedGateway, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { documented } from '../../support/relays/documented.ts';
import { account, apiKey, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { keepTimers } from '../../support/time/timers.ts';
import { until } from '../../support/time/until.ts';

const MIB = 1_048_576;

const request_id = '5b1d6a3e-2f0a-4d7e-9d43-0d7f2f1f9a11';
const payout = {
  request_id,
  beneficiary_id: 'B-1',
  payment_amount: '1000',
  payment_currency: 'USD',
  payment_method: 'SWIFT',
};

/** An accepted payout that is in progress, and helpers to write to its notify_url. */
async function setUp(status = 'PROCESSING') {
  const receiver = await startReceiver();
  const gateway = await scriptedGateway(({ message }, res) => {
    if (status === 'lost') return void res.destroy();
    const { encryption_data: _, ...echo } = message;
    const last_updated_at = '2026-03-01T10:00:00+0000';
    const answer = { ...echo, transaction_id: 'PT-1', status, fee_amount: 12.5, last_updated_at };
    const signed = { ...answer, encryption_data: sign(answer, account.signingSecret) };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(signed));
  });
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: withReceiver(receiver.url) });
  const made = await relay.post('/v1/payout', apiKey, payout);
  const id = String(made.headers.get('x-operation-id'));
  const notifyUrl = new URL(String(gateway.received[0]?.message.notify_url));
  return {
    receiver,
    relay,
    id,
    path: notifyUrl.pathname,
    notify: (body: string | Buffer, type = 'application/json') =>
      relay.send(notifyUrl.pathname, {
        method: 'POST',
        headers: { 'content-type': type },
        body: new Uint8Array(Buffer.from(body)),
      }),
    /** The operation as in webhooks. */
    truth: async () => {
      const { payout: _, ...operation } = (await relay.get(`/v1/operations/${id}`, apiKey)).body;
      return operation;
    },
  };
}

const own = {
  merchant_id: account.merchant_id,
  account_id: account.account_id,
  request_id,
  transaction_id: 'PT-1',
};

function signed(fields: Record<string, unknown>, secret = account.signingSecret): string {
  return JSON.stringify({ ...fields, encryption_data: sign(fields, secret) });
}

function form(fields: Record<string, string>): string {
  return new URLSearchParams({ ...fields, encryption_data: sign(fields, account.signingSecret) }).toString();
}

const completed = { ...own, status: 'COMPLETED', last_updated_at: '2026-03-01T21:30:00+1100' };

describe('the gateway’s notification of a payout', () => {
  it.each([
    ['JSON', 'application/json', signed(completed)],
    ['a form', 'application/x-www-form-urlencoded', form(completed)],
    ['XML', 'text/xml', signedXml(completed)],
    ['JSON under a wrong content type', 'text/plain', signed(completed)],
  ])('changes the payout if signed, and reaches the shop: %s', async (_, type, body) => {
    const { receiver, notify, truth } = await setUp();
    expect(await truth()).toMatchObject({ status: 'answered', items: ['unknown'] });
    expect(await notify(body, type)).toMatchObject({ status: 200, text: 'OK' });
    const answer = { status: 'COMPLETED', transaction_id: 'PT-1', fee_amount: 12.5, payment_amount: '1000' };
    expect(await truth()).toMatchObject({
      status: 'answered',
      items: ['succeeded'],
      settled_at: expect.stringMatching(/Z$/),
      answer,
    });
    const webhook = await receiver.one('payout.updated');
    expect(webhook.data).toEqual(await truth());
  });

  it('is counted, and the list shows the payout’s status', async () => {
    const { relay, notify, id } = await setUp();
    const whole = () => relay.get(`/v1/operations/${id}`, apiKey);
    expect((await whole()).body).toMatchObject({ payout: { payout_status: 'PROCESSING', notifications: 0 } });
    await notify(signed(completed));
    await notify(signed(completed));
    await notify('anything');
    const expected = { payout_status: 'COMPLETED', notifications: 2, notified_at: expect.stringMatching(/Z$/) };
    expect((await whole()).body).toMatchObject({ payout: expected });
    const list = await relay.get('/v1/operations?operation=payout', apiKey);
    documented().check('get', '/v1/operations', list);
    documented().check('get', '/v1/operations/{id}', await whole());
    expect(list.body).toMatchObject({ operations: [{ id, items: ['succeeded'], payout: expected }] });
  });

  it('settles a payout with a lost answer', async () => {
    const { receiver, notify, truth } = await setUp('lost');
    expect(await truth()).toMatchObject({ status: 'unknown' });
    await notify(signed(completed));
    expect(await truth()).toMatchObject({ status: 'answered', items: ['succeeded'], answer: { status: 'COMPLETED' } });
    await receiver.one('operation.completed');
    expect(receiver.types()).toEqual(['operation.unknown', 'payout.updated', 'operation.completed']);
  });

  it('reaches the shop at once, whatever the outbox’s pause', async () => {
    // No pause ever ends.
    keepTimers(PAUSE_MS);
    const { receiver, notify } = await setUp('lost');
    await receiver.one('operation.unknown');
    await notify(signed(completed));
    await receiver.one('operation.completed');
    await notify('anything');
    await receiver.one('payout.notified');
  });

  it('may precede the answer, and the shop gets both', async () => {
    const receiver = await startReceiver();
    const gateway = await scriptedGateway(async ({ message }, res) => {
      const acknowledged = await fetch(String(message.notify_url), { method: 'POST', body: signed(completed) });
      const { encryption_data: _, ...echo } = message;
      const answer = { ...echo, ...completed, note: await acknowledged.text() };
      res.writeHead(200, { 'content-type': 'application/json' }).end(signed(answer));
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: withReceiver(receiver.url) });
    const post = () => relay.post('/v1/payout', apiKey, payout, { 'idempotency-key': 'one' });
    const first = await post();
    expect(first).toMatchObject({ status: 200, body: { status: 'COMPLETED', note: 'OK' } });
    expect(await post()).toMatchObject({ status: 200, text: first.text });
    expect(gateway.received).toHaveLength(1);
    expect((await receiver.one('payout.updated')).data).toMatchObject({ items: ['succeeded'] });
  });

  it('does not override a later answer', async () => {
    const receiver = await startReceiver();
    const gateway = await scriptedGateway(async ({ message }, res) => {
      const early = { ...own, status: 'PROCESSING', last_updated_at: '2026-03-01T09:00:00+0000', early: 'kept' };
      await fetch(String(message.notify_url), { method: 'POST', body: signed(early) });
      const { encryption_data: _, ...echo } = message;
      const answer = { ...echo, ...completed, fee_amount: 12.5, last_updated_at: '2026-03-01T09:00:05+0000' };
      res.writeHead(200, { 'content-type': 'application/json' }).end(signed(answer));
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: withReceiver(receiver.url) });
    const made = await relay.post('/v1/payout', apiKey, { ...payout, request_id: request_id.toUpperCase() });
    const path = `/v1/operations/${made.headers.get('x-operation-id')}`;
    expect((await relay.get(path, apiKey)).body).toMatchObject({
      status: 'answered',
      items: ['succeeded'],
      answer: { status: 'COMPLETED', transaction_id: 'PT-1', fee_amount: 12.5, early: 'kept' },
    });
  });

  it('changes a person’s settlement only when final, and keeps both', async () => {
    const { notify, truth, relay, id } = await setUp('lost');
    const verdict = { outcome: 'succeeded', note: 'bank statement 77' };
    await relay.post(`/v1/operations/${id}/settle`, apiKey, verdict);
    const before = await truth();
    await notify(signed({ ...own, status: 'PROCESSING' }));
    expect(await truth()).toEqual(before);
    await notify(signed(completed));
    expect(await truth()).toMatchObject({
      status: 'answered',
      items: ['succeeded'],
      settlement: { note: 'bank statement 77' },
    });
  });

  const { request_id: _id, ...byTransaction } = completed;
  it.each<[string, Record<string, unknown>]>([
    ['transaction_id alone', byTransaction],
    ['request_id, and no account', { request_id, status: 'COMPLETED' }],
    ['request_id, and empty account', { request_id, merchant_id: '', account_id: '', status: 'COMPLETED' }],
  ])('may name the payout by its %s', async (_, fields) => {
    const { notify, truth } = await setUp();
    await notify(signed(fields));
    expect(await truth()).toMatchObject({ items: ['succeeded'] });
  });

  const { status: _status, ...withoutStatus } = completed;
  const { request_id: _request, transaction_id: _transaction, ...nameless } = completed;
  it.each<[string, string, boolean]>([
    ['unsigned', JSON.stringify(completed), false],
    ['signed with another secret', signed(completed, 'another'), false],
    ['changed after it was signed', signed(completed).replace('COMPLETED', 'FAILED'), false],
    ['about another request', signed({ ...completed, request_id: '0'.repeat(8) }), false],
    ['about another transaction', signed({ ...completed, transaction_id: 'PT-2' }), false],
    ['about no payout', signed(nameless), false],
    ['of another amount', signed({ ...completed, payment_amount: '9999' }), false],
    ['for another account', signed({ ...completed, account_id: '200002' }), false],
    ['without a status', signed(withoutStatus), true],
    ['unreadable', '{"status":', false],
    ['empty', '', false],
    ['a JSON list', '[1,2]', false],
    ['half a surrogate pair', '{"merchant_id":"\\ud800","encryption_data":"x"}', false],
    ['control characters', '\u0000\u0001', false],
  ])('changes nothing, is acknowledged and forwarded when it is %s', async (_, body, verified) => {
    const { receiver, notify, truth } = await setUp();
    const before = await truth();
    expect(await notify(body)).toMatchObject({ status: 200, text: 'OK' });
    expect(await truth()).toEqual(before);
    const webhook = await receiver.one('payout.notified');
    expect(webhook.data).toMatchObject({ ...before, verified, notification: { bytes: Buffer.byteLength(body) } });
    expect(receiver.types()).toEqual(['payout.notified']);
  });

  it('changes nothing twice and reverts nothing', async () => {
    const { receiver, notify, truth } = await setUp();
    await notify(signed(completed));
    const after = await truth();
    await notify(signed(completed));
    await notify(signed({ ...own, status: 'PROCESSING', last_updated_at: '2026-03-01T10:00:00+0000' }));
    expect(await truth()).toEqual(after);
    await notify('{"status":"the last"}');
    await receiver.one('payout.notified');
    expect(receiver.types()).toEqual(['payout.updated', 'operation.completed', 'payout.notified']);
  });

  it.each<[string, object]>([
    ['undated', {}],
    ['of the same time', { last_updated_at: completed.last_updated_at }],
  ])('is forwarded with an unlisted status after the end, %s', async (_, dated) => {
    const { receiver, notify, truth } = await setUp();
    await notify(signed(completed));
    const after = await truth();
    const returned = { ...own, status: 'RETURNED', ...dated };
    for (let n = 0; n < 2; n++) await notify(signed(returned));
    expect((await receiver.one('payout.notified')).data).toMatchObject({
      ...after,
      verified: true,
      notification: { status: 'RETURNED' },
    });
    expect(receiver.types()).toEqual(['payout.updated', 'operation.completed', 'payout.notified']);
  });

  it('is forwarded once, however often it is repeated', async () => {
    const { receiver, notify } = await setUp();
    for (let n = 0; n < 3; n++) await notify('{"status":"A"}');
    await notify('{"status":"B"}');
    await until('both webhooks arrive', () => receiver.received.length === 2);
    expect(receiver.received.map(({ data }) => data.notification)).toMatchObject([{ status: 'A' }, { status: 'B' }]);
  });

  it('is accepted at the maximum length, and refused beyond it', async () => {
    const { relay, notify, truth } = await setUp();
    const before = await truth();
    const room = MIB - signed({ ...completed, note: '' }).length;
    const tooLong = await notify(signed({ ...completed, note: 'x'.repeat(room + 1) }));
    expect(tooLong).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    expect(await truth()).toEqual(before);
    expect(storedNotifications(relay)).toEqual([]);
    expect((await notify(signed({ ...completed, note: 'x'.repeat(room) }))).status).toBe(200);
    expect(await truth()).toMatchObject({ items: ['succeeded'] });
  });

  it.each([
    [
      'a notification that changes the payout',
      signed(completed),
      { request_id, transaction_id: 'PT-1', status: 'COMPLETED' },
    ],
    ['a notification that changes nothing', '{"status":"PAID"}', { status: 'PAID' }],
    ['an unreadable notification', '{"status":', {}],
    ['a notification with a long status', `{"status":"${'x'.repeat(65_536)}"}`, {}],
  ])('is kept, counted on one row and in the metrics: %s', async (_, body, fields) => {
    const { relay, id, notify } = await setUp();
    for (let n = 0; n < 2; n++) expect((await notify(body)).status).toBe(200);
    const rows = storedNotifications(relay);
    expect(rows).toMatchObject([{ kind: 'payout', subject: id, times: 2, bytes: body.length, sha256: sha256(body) }]);
    expect(JSON.parse(String(rows[0]?.fields))).toEqual(fields);
    const metrics = await relay.context.metrics.registry.metrics();
    expect(metrics).toContain('turnpike_notifications_total{kind="payout"} 2');
  });

  it.each([
    ['notifications', 'add'],
    ['operations', 'finish'],
  ] as const)('is refused when the store fails (%s.%s), and accepted when repeated', async (facet, method) => {
    const { relay, notify, truth } = await setUp();
    const before = await truth();
    const methods: object = relay.context.store[facet];
    const write: unknown = Reflect.get(methods, method);
    Reflect.set(methods, method, async () => {
      throw new StoreError('no');
    });
    expect(await notify(signed(completed))).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    expect(await truth()).toEqual(before);
    Reflect.set(methods, method, write);
    expect((await notify(signed(completed))).status).toBe(200);
    expect(await truth()).toMatchObject({ items: ['succeeded'] });
  });

  it('leaves no card number in store, webhook or log', async () => {
    const { receiver, relay, notify } = await setUp();
    const number = '5555555555554444';
    const named = { request_id: number, transaction_id: number, short_reference_id: number, status: `paid ${number}` };
    await notify(JSON.stringify({ ...named, card: number, security_code: '987654', [number]: number }));
    expect((await receiver.one('payout.notified')).data.notification).toMatchObject({
      status: 'paid 555555******4444',
    });
    const written = [...relay.files(), ...relay.logLines, ...relay.answers, JSON.stringify(receiver.received)].join('');
    for (const secret of [number, '987654']) expect(written.includes(secret), secret).toBe(false);
  });

  it('is accepted at its old address while the old secret is listed', async () => {
    const { receiver, relay: before, id, path } = await setUp();
    await before.stop();
    const startAgain = (change: object) => {
      const config = withReceiver(receiver.url);
      const [demo] = config.accounts;
      return startTestRelay({
        gatewayUrl: 'http://127.0.0.1:9',
        folder: before.folder,
        config: { ...config, accounts: [{ ...demo, signing_secret: 'changed', ...change }] },
      });
    };
    const post = (relay: TestRelay, body: string) => relay.send(path, { method: 'POST', body });
    const withoutOldSecret = await startAgain({});
    expect((await post(withoutOldSecret, signed(completed, 'changed'))).status).toBe(404);
    await withoutOldSecret.stop();
    const relay = await startAgain({ previous_signing_secrets: ['older', account.signingSecret] });
    expect((await post(relay, signed(completed))).status).toBe(200);
    const truth = async () => (await relay.get(`/v1/operations/${id}`, apiKey)).body;
    expect(await truth()).toMatchObject({ items: ['unknown'] });
    expect((await post(relay, signed(completed, 'changed'))).status).toBe(200);
    expect(await truth()).toMatchObject({ items: ['succeeded'] });
  });

  it('is accepted only at its own address', async () => {
    const { relay, path, id, truth } = await setUp();
    const before = await truth();
    const post = (to: string) => relay.send(to, { method: 'POST', body: signed(completed) });
    expect((await post(`/notify/payout/${id}/${'A'.repeat(43)}`)).status).toBe(404);
    expect((await post(path.replace('/payout/', '/payment/'))).status).toBe(404);
    expect((await post(path.replace('/payout/', '/refund/'))).status).toBe(404);
    expect(await truth()).toEqual(before);
    expect(storedNotifications(relay)).toEqual([]);
  });
});
