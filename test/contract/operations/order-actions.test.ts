import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import { auditList } from '../../../shared/api/audit.ts';
import { purgeOnce } from '../../store/fixtures.ts';
import { becomes, operation } from '../../support/gateways/refund-lookup.ts';
import { drop } from '../../support/gateways/scripted-gateway.ts';
import { bookDate, refusedWith, stores, storesOf } from '../../support/gateways/settlement.ts';
import { answering, setUpOrderActions } from '../../support/relays/order-actions.ts';
import { apiKey, card, queryOnlyKey } from '../../support/relays/relay.ts';

const reason = 'One cup was broken';
const manual = { profile: { capture: { card: 'manual' } } };

describe.each(stores)('an operation on an order’s payment, on %s', (kind) => {
  const newStore = storesOf(kind);

  describe('a refund', () => {
    it('without an amount refunds the remaining amount', async () => {
      const { pay, act, sent } = await setUpOrderActions(newStore);
      const { orderNo, transactionId } = await pay();
      const part = await act('refund', orderNo, { amount: '29.9', reason });
      expect(part).toMatchObject({
        status: 200,
        body: {
          operation_id: part.headers.get('x-operation-id'),
          outcome: 'succeeded',
          payment: {
            ...{ transaction_id: transactionId, status: 'partially_refunded', session_id: expect.any(String) },
            ...{ amount: '129.90', currency: 'BRL', refunded: '29.90', refundable: '100.00' },
          },
        },
      });
      const rest = await act('refund', orderNo, { reason });
      expect(rest.body).toMatchObject({ payment: { status: 'refunded', refunded: '129.90', refundable: '0.00' } });
      const common = { transaction_id: transactionId, order_no: orderNo, currency: 'BRL', amount: '129.90' };
      expect(sent('refund')).toEqual([
        { ...common, refund_amount: '29.90', refund_reason: reason },
        { ...common, refund_amount: '100.00', refund_reason: reason },
      ]);
    });

    it('of more than the payment is refused and not sent', async () => {
      const { pay, act, sent } = await setUpOrderActions(newStore);
      const { orderNo } = await pay();
      for (const amount of ['129.91', '99999.00']) {
        expect(await act('refund', orderNo, { amount, reason })).toMatchObject({
          status: 409,
          body: {
            code: 'refund_exceeds_payment',
            errors: [{ path: 'amount', message: 'must not be more than 129.90' }],
          },
        });
      }
      expect(sent('refund')).toEqual([]);
    });

    it('is refused when nothing remains', async () => {
      const { pay, act, sent } = await setUpOrderActions(newStore);
      const { orderNo } = await pay();
      expect((await act('refund', orderNo, { reason })).status).toBe(200);
      const errors = [{ path: 'amount', message: 'must not be more than 0.00' }];
      for (const body of [{ reason }, { amount: '0.01', reason }]) {
        expect(await act('refund', orderNo, body)).toMatchObject({
          status: 409,
          body: { code: 'refund_exceeds_payment', errors },
        });
      }
      expect(sent('refund')).toHaveLength(1);
    });

    it('returns the gateway’s reason for a decline, also when repeated', async () => {
      const { pay, act, sent, instead } = await setUpOrderActions(newStore);
      const { orderNo } = await pay();
      instead.script = answering({ refund_status: '0', refund_message: 'V0006:The payment was cancelled' });
      const first = await act('refund', orderNo, { reason }, { key: 'k-1' });
      expect(first).toMatchObject({
        status: 409,
        body: {
          code: 'operation_declined',
          detail: 'The gateway declined the refund: The payment was cancelled',
          result: { code: 'V0006', message: 'The payment was cancelled' },
          operation_id: first.headers.get('x-operation-id'),
        },
      });
      const again = await act('refund', orderNo, { reason }, { key: 'k-1' });
      expect(again.body).toEqual(first.body);
      expect(sent('refund')).toHaveLength(1);
    });

    it('of unknown outcome is settled, then answered under its key', async () => {
      const { relay, books, pay, act, sent } = await setUpOrderActions(newStore);
      const { orderNo } = await pay();
      books.refund = 'booked_and_lost';
      const ask = () => act('refund', orderNo, { amount: '20.00', reason }, { key: 'k-1' });
      const first = await ask();
      const id = String(first.body.operation_id);
      expect(first).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
      expect((await act('refund', orderNo, { amount: '110.00', reason })).body).toMatchObject({
        code: 'refund_exceeds_payment',
        errors: [{ path: 'amount', message: 'must not be more than 109.90' }],
      });
      await becomes(relay, id, { status: 'settled', items: ['succeeded'] });
      expect(await ask()).toMatchObject({
        status: 200,
        body: { operation_id: id, outcome: 'succeeded', payment: { refunded: '20.00' } },
      });
      expect(sent('refund')).toHaveLength(1);
    });

    it('settled as failed by a person refers to the operation', async () => {
      const { relay, books, pay, act } = await setUpOrderActions(newStore);
      const { orderNo } = await pay();
      books.refund = 'lost';
      const ask = () => act('refund', orderNo, { reason }, { key: 'k-1' });
      const id = String((await ask()).body.operation_id);
      expect((await ask()).body).toMatchObject({ code: 'outcome_unknown', operation_id: id });
      await relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome: 'failed' });
      expect((await ask()).body).toMatchObject({ code: 'operation_settled', operation_id: id });
    });

    it('is made once under a key, and its answer is repeated', async () => {
      const { pay, act, sent } = await setUpOrderActions(newStore);
      const { orderNo } = await pay();
      const body = { amount: '10.00', reason };
      const first = await act('refund', orderNo, body, { key: 'k-1' });
      await act('refund', orderNo, body, { key: 'k-2' });
      const again = await act('refund', orderNo, body, { key: 'k-1' });
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(sent('refund')).toHaveLength(2);
      const other = await act('refund', orderNo, { ...body, amount: '11.00' }, { key: 'k-1' });
      expect(other.body.code).toBe('idempotency_key_reused');
    });

    it('with a lost answer is answered from its operation', async () => {
      const { relay, pay, act, sent } = await setUpOrderActions(newStore);
      const { orderNo } = await pay();
      const { keys } = relay.context.store;
      const { answer } = keys;
      keys.answer = async () => undefined;
      const first = await act('refund', orderNo, { reason }, { key: 'k-1' });
      keys.answer = answer;
      const again = await act('refund', orderNo, { reason }, { key: 'k-1' });
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(sent('refund')).toHaveLength(1);
    });

    it('uses the decimals of the payment’s currency', async () => {
      const { pay, act, sent } = await setUpOrderActions(newStore);
      const { orderNo } = await pay({ currency: 'JPY', amount: '1000' });
      expect((await act('refund', orderNo, { amount: '0.5', reason })).body).toMatchObject({
        code: 'invalid_request',
        errors: [{ path: 'amount', message: 'has more than the 0 decimals of JPY' }],
      });
      expect((await act('refund', orderNo, { amount: '500', reason })).body).toMatchObject({
        payment: { refunded: '500.00', refundable: '500.00' },
      });
      expect(sent('refund')).toMatchObject([{ refund_amount: '500.00', amount: '1000.00' }]);
    });
  });

  it('captures in parts, then the rest', async () => {
    const { pay, act, sent } = await setUpOrderActions(newStore, manual);
    const { orderNo } = await pay();
    expect((await act('capture', orderNo, { amount: '100.00' })).body).toMatchObject({
      payment: { status: 'partially_captured', captured: '100.00', capturable: '29.90', refundable: '100.00' },
    });
    expect((await act('capture', orderNo)).body).toMatchObject({
      payment: { status: 'paid', captured: '129.90', capturable: '0.00' },
    });
    expect(sent('capture')).toMatchObject([{ amount: '100.00' }, { amount: '29.90' }]);
    expect(await act('capture', orderNo)).toMatchObject({
      status: 409,
      body: { code: 'capture_exceeds_payment', errors: [{ path: 'amount' }] },
    });
  });

  it('captures nothing when captured at approval', async () => {
    const { pay, act } = await setUpOrderActions(newStore, { profile: { capture: { card: 'automatic' } } });
    const { orderNo } = await pay();
    expect((await act('capture', orderNo)).body).toMatchObject({
      code: 'nothing_to_capture',
      errors: [{ path: 'transaction_id' }],
    });
  });

  it('cancels the whole payment, once', async () => {
    const { pay, act, sent } = await setUpOrderActions(newStore, manual);
    const { orderNo, transactionId } = await pay();
    expect((await act('cancel', orderNo)).body).toMatchObject({ payment: { status: 'cancelled', capturable: '0.00' } });
    expect(sent('cancel')).toEqual([
      { transaction_id: transactionId, order_no: orderNo, currency: 'BRL', amount: '129.90' },
    ]);
    for (const name of ['cancel', 'capture', 'refund'] as const) {
      const body = name === 'refund' ? { reason } : {};
      expect((await act(name, orderNo, body)).body, name).toMatchObject({
        code: 'payment_cancelled',
        errors: [{ path: 'transaction_id' }],
      });
    }
  });

  it('of unknown outcome blocks an equal one', async () => {
    const { pay, act, instead } = await setUpOrderActions(newStore, manual);
    const { orderNo } = await pay();
    instead.script = drop;
    const { body } = await act('cancel', orderNo);
    expect(body).toMatchObject({ code: 'outcome_unknown' });
    expect((await act('cancel', orderNo)).body).toMatchObject({
      code: 'operation_undecided',
      operation_ids: [body.operation_id],
      errors: [{ path: 'transaction_id' }],
    });
  });

  it.each([
    ['accept', 'YES', 'paid'],
    ['reject', 'NO', 'rejected'],
  ])('reviews by the profile’s values: %s', async (decision, flag, status) => {
    const codes = { review_flag: { accept: ['YES', '1'], reject: ['NO', '0'] } };
    const { pay, act, sent } = await setUpOrderActions(newStore, { profile: { codes } });
    const { orderNo } = await pay();
    expect((await act('review', orderNo, { decision })).body).toMatchObject({ payment: { status } });
    expect(sent('review')).toMatchObject([{ review_flag: flag, amount: '129.90' }]);
  });

  it('refuses reviews when the profile has no value for them', async () => {
    const codes = { review_flag: { reject: ['NO'] } };
    const { pay, act, sent } = await setUpOrderActions(newStore, { profile: { codes } });
    const { orderNo } = await pay();
    expect(await act('review', orderNo, { decision: 'accept' })).toMatchObject({
      status: 501,
      body: { code: 'operation_not_configured', detail: expect.stringContaining('codes.review_flag.accept') },
    });
    expect(sent('review')).toEqual([]);
  });

  it('is declined with the status code if the gateway gives no other', async () => {
    const { pay, act, instead } = await setUpOrderActions(newStore, manual);
    const { orderNo } = await pay();
    instead.script = answering({ capture_status: '0', error_message: 'The payment is too old' });
    expect((await act('capture', orderNo)).body).toMatchObject({
      code: 'operation_declined',
      result: { code: '0', message: 'The payment is too old' },
    });
    instead.script = answering({ cancel_status: '0', error_message: '' });
    expect((await act('cancel', orderNo)).body).toMatchObject({ result: { code: '0', message: 'OK' } });
  });

  it('that the gateway rejects is refused, also when repeated', async () => {
    const { pay, act, sent, instead } = await setUpOrderActions(newStore, manual);
    const { orderNo } = await pay();
    instead.script = refusedWith(400);
    const ask = () => act('capture', orderNo, {}, { key: 'k-1' });
    const first = await ask();
    expect(first).toMatchObject({ status: 422, body: { code: 'gateway_refused', operation_id: expect.any(String) } });
    expect((await ask()).body).toEqual(first.body);
    expect(sent('capture')).toHaveLength(1);
  });

  it('that was not sent can be requested again under its key', async () => {
    const { relay, pay, act, sent } = await setUpOrderActions(newStore, manual);
    const { orderNo } = await pay();
    const { call } = relay.context;
    relay.context.call = async () => ({ kind: 'not_sent' });
    const ask = () => act('capture', orderNo, {}, { key: 'k-1' });
    expect((await ask()).body).toMatchObject({ status: 503, code: 'gateway_unreachable' });
    relay.context.call = call;
    expect((await ask()).body).toMatchObject({ payment: { status: 'paid', captured: '129.90' } });
    expect(sent('capture')).toHaveLength(1);
  });

  it('names one of several payments', async () => {
    const { relay, records, pay, act, sent } = await setUpOrderActions(newStore);
    const { orderNo, transactionId } = await pay();
    const record = { order_no: orderNo, amount: '129.90', currency: 'BRL', payment_status: '3000' };
    for (const transaction_id of [transactionId, 'SECOND-1']) {
      records.push({ ...record, transaction_id, transaction_date: bookDate() });
    }
    await relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
    const ids = [transactionId, 'SECOND-1'];
    expect(await act('refund', orderNo, { reason })).toMatchObject({
      status: 409,
      body: {
        code: 'several_payments',
        detail: expect.stringContaining(ids.join(', ')),
        transaction_ids: ids,
        errors: [{ path: 'transaction_id' }],
      },
    });
    expect((await act('refund', orderNo, { reason, transaction_id: 'second-1' })).body).toMatchObject({
      code: 'transaction_id_form',
      errors: [{ path: 'transaction_id', message: 'must be "SECOND-1" exactly' }],
    });
    expect((await act('refund', orderNo, { reason, transaction_id: 'SECOND-1' })).body).toMatchObject({
      payment: { transaction_id: 'SECOND-1', status: 'refunded' },
    });
    // The other payment has nothing left.
    expect((await act('refund', orderNo, { reason })).body).toMatchObject({
      payment: { transaction_id: transactionId, status: 'refunded' },
    });
    expect(sent('refund')).toMatchObject([{ transaction_id: 'SECOND-1' }, { transaction_id: transactionId }]);
  });

  it('accepts only payments of this order', async () => {
    const { relay, pay, act, gateway } = await setUpOrderActions(newStore);
    const { orderNo } = await relay.session();
    const other = await pay();
    const before = gateway.received.length;
    const refused = await act('refund', orderNo, { reason });
    expect(refused).toMatchObject({ status: 409, body: { code: 'not_paid', detail: 'This order is not paid.' } });
    const named = { reason, transaction_id: other.transactionId };
    expect((await act('refund', orderNo, named)).body).toMatchObject({
      code: 'not_paid',
      errors: [{ path: 'transaction_id' }],
    });
    expect(await act('refund', 'NONE', { reason })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(gateway.received).toHaveLength(before);
  });

  it('needs the scope of its operation and is in the audit log', async () => {
    const { relay, pay, act, sent } = await setUpOrderActions(newStore);
    const { orderNo } = await pay();
    for (const [name, body] of Object.entries({
      refund: { reason },
      capture: {},
      cancel: {},
      review: { decision: 'accept' },
    })) {
      const answer = await relay.post(`/v1/orders/${orderNo}/${name}`, queryOnlyKey, body);
      expect([name, answer.status, answer.body.code]).toEqual([name, 403, 'missing_scope']);
    }
    const done = await act('refund', orderNo, { reason });
    expect(sent('refund')).toHaveLength(1);
    const refusals = async () => {
      const { body } = await relay.get(`/v1/audit?order_no=${orderNo}`, apiKey);
      const { entries } = auditList.parse(body);
      expect(entries.filter(({ problem }) => problem === undefined)).toMatchObject([
        { action: 'refund', by: 'all', subject: done.body.operation_id, orders: [orderNo] },
        { action: 'payment' },
      ]);
      return entries.flatMap(({ action, problem }) => (problem === undefined ? [] : [`${action} ${problem}`])).sort();
    };
    await expect
      .poll(refusals)
      .toEqual(['cancel', 'capture', 'refund', 'review'].map((action) => `${action} missing_scope`));
  });

  it('is in the audit log with its request and outcome', async () => {
    const { relay, pay, act, instead } = await setUpOrderActions(newStore);
    const { orderNo, transactionId: transaction_id } = await pay();
    const operations = async () => {
      const { entries } = auditList.parse((await relay.get(`/v1/audit?order_no=${orderNo}`, apiKey)).body);
      return entries
        .filter(({ action, problem }) => action !== 'payment' && problem === undefined)
        .map(({ action, subject, items, outcome }) => ({ action, subject, items, outcome }));
    };
    const item = { transaction_id, order_no: orderNo, currency: 'BRL' };
    const refunded = await act('refund', orderNo, { amount: '30.00', reason });
    const paidBack = {
      ...{ action: 'refund', subject: refunded.body.operation_id, outcome: 'succeeded' },
      items: [{ ...item, amount: '30.00', outcome: 'succeeded' }],
    };
    expect(await operations()).toEqual([paidBack]);
    instead.script = drop;
    const lost = await act('capture', orderNo, { amount: '10.00' });
    const subject = lost.body.operation_id;
    const capture = (outcome: string, action = 'capture') => ({
      ...{ action, subject, outcome, items: [{ ...item, amount: '10.00', outcome }] },
    });
    expect(await operations()).toEqual([capture('unknown'), paidBack]);
    await relay.post(`/v1/operations/${subject}/settle`, apiKey, { outcome: 'failed' });
    const settled = [capture('failed', 'operation.settle'), capture('failed'), paidBack];
    expect(await operations()).toEqual(settled);
    const { store, now } = relay.context;
    // The operation begins a moment before its audit entry.
    const begun = await store.operations.get(String(subject));
    const before = new Date(Date.parse(begun?.created_at ?? '') + 1).toISOString();
    await purgeOnce(store, { before, counted_before: now().toISOString(), limit: 100 });
    expect(await store.operations.get(String(subject))).toBeUndefined();
    expect((await operations()).filter(({ action }) => action === 'operation.settle')).toEqual(settled.slice(0, 1));
  });

  it('keeps its metadata and its reference, and sends neither', async () => {
    const { relay, shop, pay, act, gateway, reference } = await setUpOrderActions(newStore);
    const { orderNo } = await pay();
    const metadata = { agent: 'maria', 'ticket no': '4711', empty: '' };
    const body = { amount: '1.00', reason, reference: 'return-1', metadata };
    const done = await act('refund', orderNo, body, { key: 'k-1' });
    const id = String(done.body.operation_id);
    expect(done.body).toMatchObject({ outcome: 'succeeded', metadata });
    const kept = await relay.get(`/v1/operations/${id}`, apiKey);
    reference.check('get', '/v1/operations/{id}', kept);
    expect(kept.body).toMatchObject({ metadata, references: ['return-1'] });
    const list = await relay.get('/v1/operations', apiKey);
    reference.check('get', '/v1/operations', list);
    expect(list.body.operations).toMatchObject([{ id, metadata }]);
    expect((await shop.one('operation.completed')).data).toMatchObject({ id, metadata });
    expect(JSON.stringify(gateway.received)).not.toMatch(/maria|4711|return-1/);
    expect((await act('refund', orderNo, body)).body).toMatchObject({
      code: 'reference_used',
      errors: [{ path: 'reference' }],
    });
  });

  it('refuses metadata that it cannot keep', async () => {
    const { relay, pay, act, sent } = await setUpOrderActions(newStore);
    const { orderNo } = await pay();
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, '']));
    const bad: [object, string][] = [
      [many, 'metadata'],
      [{ ['k'.repeat(41)]: '' }, 'metadata'],
      [{ k: 'x'.repeat(501) }, 'metadata.k'],
      [{ k: 1 }, 'metadata.k'],
      [{ k: card.card }, 'metadata'],
      [{ [card.card]: 'k' }, 'metadata'],
    ];
    for (const [metadata, path] of bad) {
      const answer = await act('refund', orderNo, { reason, metadata });
      expect(answer.status, answer.text).toBe(400);
      const errors = [{ path: expect.stringMatching(new RegExp(`^${path}(\\.|$)`)) }];
      expect(answer.body).toMatchObject({ code: 'invalid_request', errors });
      expect(answer.text).not.toContain(card.card);
    }
    expect((await act('refund', orderNo, { reason, reference: card.card })).body).toMatchObject({
      errors: [{ path: 'reference', message: 'must not be a card number' }],
    });
    expect(sent('refund')).toEqual([]);
    const whole = Object.fromEntries(Object.entries(many).slice(1));
    const { body } = await act('refund', orderNo, { reason, metadata: whole });
    expect((await operation(relay, String(body.operation_id))).metadata).toEqual(whole);
  });

  it('is unknown while its payment cannot be read, then answered', async () => {
    const { relay, pay, act, sent } = await setUpOrderActions(newStore);

    const { orderNo } = await pay();
    const { operations } = relay.context.store;
    const { finish, refunded } = operations;
    operations.finish = async (...args) => {
      operations.refunded = async () => {
        throw new StoreError('lost');
      };
      return finish(...args);
    };
    const ask = () => act('refund', orderNo, { reason }, { key: 'k-1' });
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
    Object.assign(operations, { finish, refunded });
    expect(await ask()).toMatchObject({ status: 200, body: { payment: { status: 'refunded' } } });
    expect(sent('refund')).toHaveLength(1);
  });
});
