import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import { sha256 } from '../../../relay/base/keys.ts';
import { setUpNotified } from '../../support/gateways/notified.ts';
import { signedXml } from '../../support/gateways/scripted-gateway.ts';
import { keepTimers } from '../../support/time/timers.ts';
import { until } from '../../support/time/until.ts';

const MIB = 1_048_576;

/** The maximum pause between two polls. */
const POLL_MS = 500;

describe('the gateway’s notification of a payment', () => {
  it('is stored and acknowledged, then checked by a query, which decides', async () => {
    const { books, gateway, relay, unknownPayment, notify, stored } = await setUpNotified();
    const { id, orderNo, path } = await unknownPayment();
    books.set(orderNo, '3000');
    const body = JSON.stringify({ order_no: orderNo, payment_status: '4100', order_status: '0', amount: '0.01' });
    expect(await notify(path, body)).toMatchObject({ status: 200, text: 'OK' });
    expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'approved', transaction_id: `T-${orderNo}` });
    expect(gateway.queried().map(({ message }) => message.orders)).toEqual([orderNo]);
    const [row] = stored();
    expect(row).toMatchObject({ kind: 'payment', subject: id, account: 'demo', times: 1, sha256: sha256(body) });
    expect(row?.bytes).toBe(body.length);
    expect(JSON.parse(String(row?.fields))).toEqual({ order_no: orderNo, payment_status: '4100', order_status: '0' });
  });

  it('that reports a payment changes nothing without a record', async () => {
    const { gateway, relay, unknownPayment, notify } = await setUpNotified();
    const { id, orderNo, path } = await unknownPayment();
    await notify(
      path,
      signedXml({ order_no: orderNo, payment_status: '3000', order_status: '1', result_info: '0000' }),
    );
    await until('the gateway was queried', () => gateway.queried().length === 1);
    expect((await relay.get('/healthz')).status).toBe(200);
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown' });
  });

  it('triggers a query at once when the relay is idle', async () => {
    keepTimers(POLL_MS);
    const { gateway, relay, unknownPayment, notify } = await setUpNotified();
    const { path } = await unknownPayment();
    const { store } = relay.context;
    const { leaseDue: leaseDueOrders } = store.orders;
    let polls = 0;
    store.orders.leaseDue = (...terms) => {
      polls += 1;
      return leaseDueOrders(...terms);
    };
    // By then the first poll has found nothing, and without a trigger the next one never runs.
    expect(gateway.queried()).toHaveLength(0);
    await notify(path);
    await until('it is queried', () => gateway.queried().length === 1);
    expect(polls).toBe(1);
  });

  it('is neither acknowledged nor queried before it is stored', async () => {
    const { gateway, relay, unknownPayment, notify } = await setUpNotified();
    const { path } = await unknownPayment();
    const { store } = relay.context;
    const { add: addNotification } = store.notifications;
    const held = Promise.withResolvers<void>();
    const keeping = Promise.withResolvers<void>();
    store.notifications.add = async (notification) => {
      keeping.resolve();
      await held.promise;
      return addNotification(notification);
    };
    let isAcknowledged = false;
    const notified = notify(path, '{}').finally(() => {
      isAcknowledged = true;
    });
    await keeping.promise;
    expect((await relay.get('/healthz')).status).toBe(200);
    expect([isAcknowledged, gateway.queried().length]).toEqual([false, 0]);
    held.resolve();
    expect(await notified).toMatchObject({ status: 200 });
    await until('the gateway was queried', () => gateway.queried().length === 1);
  });

  it('is refused when it cannot be stored, so that it is repeated', async () => {
    const { books, gateway, relay, unknownPayment, notify } = await setUpNotified();
    const { id, orderNo, path } = await unknownPayment();
    books.set(orderNo, '3000');
    const { store } = relay.context;
    const { add: addNotification } = store.notifications;
    store.notifications.add = async () => {
      throw new StoreError('no');
    };
    expect(await notify(path, '{}')).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    expect(gateway.queried()).toHaveLength(0);
    store.notifications.add = addNotification;
    expect((await notify(path, '{}')).status).toBe(200);
    expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'approved' });
  });

  it('at a guessed address is not found, not stored, not queried', async () => {
    const { gateway, unknownPayment, notify, stored } = await setUpNotified();
    const [{ id, path }, other] = [await unknownPayment(), await unknownPayment()];
    const token = path.split('/').at(-1);
    const guessed = [
      `/notify/payment/${id}/${'A'.repeat(43)}`,
      `/notify/payment/${id}/${token}x`,
      `/notify/payment/${other.id}/${token}`,
      `/notify/payment/cs_guessed/${token}`,
      `/notify/payout/${id}/${token}`,
      `/notify/refund/${id}/${token}`,
    ];
    for (const address of guessed) expect((await notify(address, '{"status":"1"}')).status, address).toBe(404);
    expect((await notify(guessed[0] ?? '', Buffer.alloc(MIB))).status).toBe(404);
    expect(stored()).toEqual([]);
    expect(gateway.queried()).toHaveLength(0);
  });

  it('that is repeated is stored once and counted', async () => {
    const { unknownPayment, notify, stored } = await setUpNotified();
    const { id, path } = await unknownPayment();
    for (let n = 0; n < 3; n++) await notify(path, '{"a":1}');
    await notify(path, '{"a":2}');
    const rows = stored().map(({ subject, times }) => [subject, times]);
    expect(rows.toSorted()).toEqual([
      [id, 1],
      [id, 3],
    ]);
  });

  it('that arrives late or out of order changes nothing proven', async () => {
    const clock = { offset: 0 };
    const { books, gateway, relay, unknownPayment, notify } = await setUpNotified({
      now: () => new Date(Date.now() + clock.offset),
    });
    const { id, orderNo, path } = await unknownPayment();
    books.set(orderNo, '3000');
    await notify(path, '{"payment_status":"3000"}');
    const approved = await relay.settled(id, 'unknown');
    for (const late of ['{"payment_status":"pending"}', '{"payment_status":"4100"}', '{"order_status":"0"}']) {
      const asked = gateway.queried().length;
      clock.offset += 10_000;
      expect((await notify(path, late)).status).toBe(200);
      await until('the gateway was queried', () => gateway.queried().length > asked);
    }
    expect(await relay.truth(id)).toEqual(approved);
    expect(gateway.authorised()).toHaveLength(1);
  });

  it.each<[string, Buffer, Record<string, string>]>([
    ['empty', Buffer.alloc(0), {}],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22]), {}],
    ['broken JSON', Buffer.from('{"order_no":"A"'), { 'content-type': 'application/json' }],
    ['broken XML', Buffer.from('<respon><order_no>A</respon>'), { 'content-type': 'text/xml' }],
    ['JSON 200,000 deep', Buffer.from(`${'['.repeat(200_000)}${']'.repeat(200_000)}`), {}],
    ['an object 100,000 deep', Buffer.from(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), {}],
    ['XML 10,000 deep', Buffer.from('<a>'.repeat(10_000)), {}],
    ['an entity bomb', Buffer.from(entityBomb()), { 'content-type': 'text/xml' }],
    [
      'an external entity',
      Buffer.from('<!DOCTYPE respon [<!ENTITY x SYSTEM "file:///etc/passwd">]><respon>&x;</respon>'),
      {},
    ],
    ['of an invalid content type', Buffer.from('\u0000\u0001'), { 'content-type': 'x/y;;charset=utf-99' }],
    ['1 MiB', Buffer.alloc(MIB, '{"order_no":"A"}'), {}],
  ])('that is %s is stored by size and hash and acknowledged', async (_, body, headers) => {
    const { books, relay, unknownPayment, notify, stored } = await setUpNotified();
    const { id, orderNo, path } = await unknownPayment();
    books.set(orderNo, '3000');
    expect(await notify(path, body, headers)).toMatchObject({ status: 200, text: 'OK' });
    expect(stored()).toMatchObject([{ subject: id, bytes: body.length, sha256: sha256(body), fields: '{}' }]);
    expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'approved' });
  });

  it.each<[string, Buffer, Record<string, string>, string]>([
    ['larger than 1 MiB', Buffer.alloc(MIB + 1), {}, 'body_too_large'],
    ['a gzip bomb', gzipSync(Buffer.alloc(20 * MIB, 0x20)), { 'content-encoding': 'gzip' }, 'body_too_large'],
    ['broken gzip', Buffer.from('{"order_no":"A"}'), { 'content-encoding': 'gzip' }, 'unsupported_media_type'],
    ['half of gzip', gzipSync('order_no=A').subarray(0, 20), { 'content-encoding': 'gzip' }, 'unsupported_media_type'],
    [
      'in two encodings',
      gzipSync(gzipSync('order_no=A')),
      { 'content-encoding': 'gzip, gzip' },
      'unsupported_media_type',
    ],
    [
      'in an encoding that is not known',
      Buffer.from('order_no=A'),
      { 'content-encoding': 'x-unknown' },
      'unsupported_media_type',
    ],
  ])('that is %s is refused, and the relay keeps running', async (_, body, headers, code) => {
    const { gateway, unknownPayment, notify, stored } = await setUpNotified();
    const { path } = await unknownPayment();
    const status = code === 'body_too_large' ? 413 : 415;
    expect(await notify(path, body, headers)).toMatchObject({ status, body: { code } });
    expect(stored()).toEqual([]);
    expect(gateway.queried()).toHaveLength(0);
    expect((await notify(path, '{}')).status).toBe(200);
  });

  it.each<[string, string, Record<string, string>]>([
    ['JSON', '{"order_no":"A","status":"1"}', { 'content-type': 'application/json' }],
    ['a form', 'order_no=A&status=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['XML', '<respon><order_no>A</order_no><status>1</status></respon>', { 'content-type': 'text/xml' }],
  ])('is recognised in %s, plain or compressed, by its fields', async (_, text, headers) => {
    const { unknownPayment, notify, stored } = await setUpNotified();
    const { path } = await unknownPayment();
    await notify(path, text, headers);
    await notify(path, gzipSync(text), { ...headers, 'content-encoding': 'gzip' });
    await notify(path, deflateSync(text), { ...headers, 'content-encoding': 'deflate' });
    await notify(path, brotliCompressSync(text), { ...headers, 'content-encoding': 'BR' });
    const [row, ...more] = stored();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ times: 4, bytes: text.length, sha256: sha256(text) });
    expect(JSON.parse(String(row?.fields))).toEqual({ order_no: 'A', status: '1' });
  });

  it('leaves no card number in the store or the log', async () => {
    const { relay, unknownPayment, notify, stored } = await setUpNotified();
    const { path } = await unknownPayment();
    const numbers = ['5555555555554444', '5555 5555 5555 4444', '5555-5555-5555-4444'];
    const fields = [
      'order_no',
      'transaction_id',
      'reference_no',
      'status',
      'result_info',
      'card',
      'note',
      'request_id',
    ];
    for (const number of numbers) {
      const message = Object.fromEntries([...fields.map((field) => [field, number]), ['security_code', '987654']]);
      await notify(path, JSON.stringify({ ...message, [number]: number }));
      await notify(path, new URLSearchParams(message).toString());
      // A signed notification keeps its identifiers unchanged.
      const { order_no: _, transaction_id: __, reference_no: ___, status: ____, request_id: _____, ...texts } = message;
      await notify(path, signedXml(texts));
      await notify(path, `card=${number}&broken`);
      await notify(path, number);
    }
    expect(stored()).toHaveLength(15);
    const written = [...relay.files(), ...relay.logLines, ...relay.answers].join('\n');
    expect(written).toContain('555555******4444');
    for (const secret of [...numbers, '987654']) expect(written.includes(secret), secret).toBe(false);
  });

  it('is counted in the metrics', async () => {
    const { relay, unknownPayment, notify } = await setUpNotified();
    const { path } = await unknownPayment();
    await notify(path, '1');
    await notify(path, '2');
    await notify(`${path}x`, '3');
    const metrics = await relay.context.metrics.registry.metrics();
    expect(metrics).toContain('turnpike_notifications_total{kind="payment"} 2');
  });
});

function entityBomb(): string {
  const levels = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);
  return `<!DOCTYPE respon [<!ENTITY e0 "x">${levels.join('')}]><respon><order_no>&e9;</order_no></respon>`;
}
