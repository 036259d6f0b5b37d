import { describe, expect, it } from 'vitest';
import { becomes, item, operation, setUp, staysUnknown, transaction_id } from '../../support/gateways/refund-lookup.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey } from '../../support/relays/relay.ts';

describe('a refund whose answer was lost', () => {
  it('is found by refund search, reported, stored, and never resent', async () => {
    const receiver = await startReceiver();
    const { books, relay, refund, refunds } = await setUp({ config: withReceiver(receiver.url) });
    books.refund = 'booked_and_lost';
    const key = { 'idempotency-key': 'k-1' };
    const { status, code, id } = await refund([item('100.00')], key);
    expect({ status, code }).toEqual({ status: 409, code: 'outcome_unknown' });
    const settlement = { by: 'refund_search', items: ['succeeded'], refund_reference_ids: [`${transaction_id}-01`] };
    await becomes(relay, id, { status: 'settled', items: ['succeeded'], settlement });
    expect(await refund([item('100.00')], key)).toMatchObject({ status: 409, code: 'operation_settled', id });
    expect((await refund([item('30.00')])).code, 'it counts as refunded').toBe('refund_exceeds_payment');
    expect((await receiver.one('operation.unknown')).data).toMatchObject({ id, unknown: { needs_attention: false } });
    expect((await receiver.one('operation.settled')).data).toMatchObject({ id, settlement });
    expect((await receiver.one('operation.completed')).data).toMatchObject({ id, items: [{ status: 'succeeded' }] });
    expect(receiver.types()).toEqual(['operation.unknown', 'operation.settled', 'operation.completed']);
    expect(refunds()).toHaveLength(1);
  });

  it('is free again when the gateway reports it as failed', async () => {
    const { books, relay, refund } = await setUp();
    books.refund = 'booked_and_lost';
    books.change = { refund_status: '0' };
    const { id } = await refund([item('129.90')]);
    await becomes(relay, id, { status: 'settled', items: ['failed'], settlement: { by: 'refund_search' } });
    books.refund = 'answered';
    books.change = {};
    expect((await refund([item('129.90')])).status).toBe(200);
  });

  it('is not mistaken for an equal earlier one', async () => {
    const { books, relay, refund } = await setUp();
    books.add(item('10.00'));
    books.refund = 'lost';
    const { id } = await refund([item('10.00')]);
    await staysUnknown(relay, id, 'absent');
  });

  it('is not confused with an equal later one of the relay', async () => {
    const { books, relay, refund } = await setUp();
    books.refund = 'lost';
    const { id } = await refund([item('10.00')]);
    books.refund = 'answered';
    expect((await refund([item('10.00')])).status).toBe(200);
    await staysUnknown(relay, id, 'absent');
  });

  it('waits if an equal one was made manually meanwhile', async () => {
    const { books, relay, refund } = await setUp();
    books.refund = 'booked_and_lost';
    const { id } = await refund([item('10.00')]);
    books.add(item('10.00'));
    await staysUnknown(relay, id, 'ambiguous');
  });

  it('waits while another one of its payment is also unknown', async () => {
    const { books, relay, refund } = await setUp();
    books.refund = 'booked_and_lost';
    const [one, two] = await Promise.all([refund([item('10.00')]), refund([item('20.00')])]);
    await staysUnknown(relay, one.id, 'ambiguous');
    await staysUnknown(relay, two.id, 'ambiguous');
  });

  it('is found although the gateway’s search lags behind', async () => {
    const { books, relay, refund } = await setUp();
    books.refund = 'booked_and_lost';
    books.lag = 1;
    const { id } = await refund([item('10.00')]);
    await staysUnknown(relay, id, 'absent');
    books.lag = 0;
    await becomes(relay, id, { status: 'settled', items: ['succeeded'] });
  });

  it('is found only when both equal parts are found', async () => {
    const { books, relay, refund } = await setUp();
    books.refund = 'booked_and_lost';
    books.lag = 1;
    const { id } = await refund([item('10.00'), item('10.00')]);
    await staysUnknown(relay, id, 'absent');
    expect((await refund([item('110.00')])).code).toBe('refund_exceeds_payment');
    books.lag = 0;
    const names = [`${transaction_id}-01`, `${transaction_id}-02`];
    await becomes(relay, id, {
      status: 'settled',
      settlement: { items: ['succeeded', 'succeeded'], refund_reference_ids: names },
    });
  });

  it('is undecided while the gateway’s status for it is unlisted', async () => {
    const { books, relay, refund } = await setUp();
    books.refund = 'booked_and_lost';
    books.change = { refund_status: '7' };
    const { id } = await refund([item('10.00')]);
    await staysUnknown(relay, id, 'undecided');
    for (const record of books.records) record.refund_status = '1';
    await becomes(relay, id, { status: 'settled' });
  });

  it('is found by the next relay when this one was stopped', async () => {
    const first = await setUp();
    first.books.refund = 'booked_and_lost';
    first.books.lag = 1;
    const { id } = await first.refund([item('10.00')]);
    await first.relay.stop();
    first.books.lag = 0;
    const next = await first.start({ folder: first.relay.folder });
    await becomes(next, id, { status: 'settled', settlement: { by: 'refund_search' } });
    expect(first.refunds()).toHaveLength(1);
  });
});

/** Three searches within half a second prove that a refund was not made. */
const soonAbsent = { resolve: { first_ms: 100, max_ms: 200, absent_ms: 500 } };

describe('a refund that the gateway refused', () => {
  it('counts as refunded until searches show no new refund, without webhooks', async () => {
    const receiver = await startReceiver();
    const config = { ...withReceiver(receiver.url), ...soonAbsent };
    const { books, relay, refund, refunds } = await setUp({ config });
    books.refund = 'refused';
    books.search = (res) => void res.destroy();
    const key = { 'idempotency-key': 'k-1' };
    const { status, code, id } = await refund([item('129.90')], key);
    expect({ status, code }).toEqual({ status: 422, code: 'gateway_refused' });
    await becomes(relay, id, {
      status: 'refused',
      unknown: { reason: 'refused', needs_attention: false, last_query: { found: 'search_unanswered' } },
    });
    expect(await refund([item('0.01')]), 'the gateway does not say whether it was made').toMatchObject({
      status: 503,
      id,
    });
    books.search = undefined;
    expect((await refund([item('0.01')])).code).toBe('refund_exceeds_payment');
    await expect.poll(async () => (await operation(relay, id)).unknown).toBeUndefined();
    expect(await operation(relay, id)).toMatchObject({ status: 'refused', settled_at: expect.any(String) });
    expect(await refund([item('129.90')], key)).toMatchObject({ status: 422, id });
    books.refund = 'answered';
    expect((await refund([item('129.90')])).status).toBe(200);
    expect(refunds()).toHaveLength(2);
    expect(receiver.types()).toEqual([]);
  });

  it('is released after a failed first search if later ones are empty', async () => {
    const { books, relay, refund, searches } = await setUp({ config: soonAbsent });
    books.refund = 'refused';
    books.search = (res) => void res.destroy();
    const { id } = await refund([item('10.00')]);
    await expect.poll(() => searches().length).toBeGreaterThan(0);
    books.search = undefined;
    await expect.poll(async () => (await operation(relay, id)).unknown).toBeUndefined();
    expect((await operation(relay, id)).status).toBe('refused');
  });

  it('is settled as succeeded when the gateway booked it anyway', async () => {
    const receiver = await startReceiver();
    const { books, relay, refund } = await setUp({ config: withReceiver(receiver.url) });
    books.refund = 'booked_and_refused';
    const { status, id } = await refund([item('100.00')]);
    expect(status).toBe(422);
    const settlement = { by: 'refund_search', items: ['succeeded'], refund_reference_ids: [`${transaction_id}-01`] };
    await becomes(relay, id, { status: 'settled', items: ['succeeded'], settlement });
    expect((await refund([item('30.00')])).code).toBe('refund_exceeds_payment');
    expect((await receiver.one('operation.settled')).data).toMatchObject({ id, settlement });
  });

  it('is not mistaken for another amount’s refund made meanwhile', async () => {
    const { books, relay, refund } = await setUp({ config: soonAbsent });
    books.refund = 'refused';
    books.lag = 1;
    books.add(item('5.00'));
    const { id } = await refund([item('10.00')]);
    books.lag = 0;
    await expect.poll(async () => (await operation(relay, id)).unknown).toBeUndefined();
    expect((await operation(relay, id)).status).toBe('refused');
  });

  it('can be settled by a person meanwhile', async () => {
    const { books, relay, refund } = await setUp();
    books.refund = 'refused';
    books.search = (res) => void res.destroy();
    const { id } = await refund([item('129.90')]);
    const settled = await relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome: 'failed' });
    expect(settled).toMatchObject({ status: 200, body: { status: 'settled', items: ['failed'] } });
    books.refund = 'answered';
    expect((await refund([item('129.90')])).status).toBe(200);
  });
});

describe('a refund with an unlisted code in the gateway’s answer', () => {
  it('is searched by its refund_reference_id until the gateway decides', async () => {
    const receiver = await startReceiver();
    const { books, relay, refund, refunds, searches } = await setUp({ config: withReceiver(receiver.url) });
    books.search = (res) => void res.destroy();
    books.change = { refund_status: '7' };
    const { status, id } = await refund([item('100.00'), item('20.00')]);
    expect(status).toBe(200);
    books.search = undefined;
    const last_query = { found: 'undecided' };
    await becomes(relay, id, { status: 'answered', items: ['unknown', 'unknown'], unknown: { last_query } });
    const ids = [`${transaction_id}-01`, `${transaction_id}-02`];
    expect(searches().at(-1)?.message).toMatchObject({ refund_references: ids.join(',') });
    const [first, second] = books.records;
    if (first && second) [first.refund_status, second.refund_status] = ['1', '0'];
    const settlement = { by: 'refund_search', items: ['succeeded', 'failed'], refund_reference_ids: ids };
    await becomes(relay, id, { status: 'settled', items: ['succeeded', 'failed'], settlement });
    expect((await operation(relay, id)).answer, 'the answer is kept').toMatchObject({ return_status: '1' });
    expect((await receiver.one('operation.settled')).data).toMatchObject({ id, settlement });
    books.change = {};
    expect((await refund([item('29.91')])).code).toBe('refund_exceeds_payment');
    expect((await refund([item('29.90')])).status).toBe(200);
    expect(refunds()).toHaveLength(2);
  });

  it('is searched by its payment if the answer had no refund_reference_id', async () => {
    const { books, relay, refund } = await setUp();
    books.change = { refund_status: '7', refund_reference_id: '' };
    const { id } = await refund([item('100.00')]);
    await becomes(relay, id, { status: 'answered', unknown: { last_query: { found: 'ambiguous' } } });
    const [record] = books.records;
    if (record) [record.refund_status, record.refund_reference_id] = ['1', 'R-1'];
    const settlement = { by: 'refund_search', items: ['succeeded'], refund_reference_ids: ['R-1'] };
    await becomes(relay, id, { status: 'settled', settlement });
  });
});
