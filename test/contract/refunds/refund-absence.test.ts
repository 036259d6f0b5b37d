import { describe, expect, it } from 'vitest';
import { becomes, item, operation, setUpTimed, transaction_id } from '../../support/gateways/refund-lookup.ts';
import { sendSigned } from '../../support/gateways/scripted-gateway.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey } from '../../support/relays/relay.ts';

const MINUTE = 60_000;

const withoutList = ({ refund_orders: _, ...truth }: { refund_orders?: unknown }): object => truth;

describe.each(stores)('a refund that no search shows, on %s', (kind) => {
  const newStore = storesOf(kind);

  const setUp = async (profile: Record<string, unknown> = {}) => setUpTimed(await newStore(), profile);

  it('is found if booked late after a 400, and stays reserved', async () => {
    const { books, relay, refund, refunds, searched, receiver } = await setUp();
    books.refund = 'booked_and_refused';
    books.lag = 1;
    const { status, id } = await refund([item('100.00')]);
    expect(status).toBe(422);
    for (const ms of [1000, 2000]) await searched(id, ms);
    expect(await operation(relay, id)).toMatchObject({
      status: 'refused',
      unknown: { last_query: { found: 'absent' } },
    });
    expect((await refund([item('100.00')])).code).toBe('refund_exceeds_payment');
    books.lag = 0;
    await searched(id, 4000);
    expect(await operation(relay, id)).toMatchObject({ status: 'settled', items: ['succeeded'] });
    expect((await receiver.one('operation.settled')).data).toMatchObject({ id, items: ['succeeded'] });
    expect(refunds()).toHaveLength(1);
  });

  it.each(['refused', 'lost'] as const)('is free after three over absent_ms if it was %s', async (refund) => {
    const { books, relay, refund: ask, refunds, searched } = await setUp();
    books.refund = refund;
    const { id } = await ask([item('100.00'), item('29.90')]);
    for (const ms of [1000, 7 * MINUTE, 7 * MINUTE]) await searched(id, ms);
    expect(await operation(relay, id)).toHaveProperty('unknown.queries', 3);
    expect((await ask([item('0.01')])).code).toBe('refund_exceeds_payment');
    await searched(id, 2 * MINUTE);
    const absent = { by: 'refund_search', items: ['failed', 'failed'], refund_reference_ids: [], absent: [0, 1] };
    const end = refund === 'refused' ? { status: 'refused' } : { status: 'settled', settlement: absent };
    expect(await operation(relay, id)).toMatchObject({ ...end, settled_at: expect.any(String) });
    documented().check('get', '/v1/operations/{id}', await relay.get(`/v1/operations/${id}`, apiKey));
    books.refund = 'answered';
    expect((await ask([item('129.90')])).status).toBe(200);
    expect(refunds()).toHaveLength(2);
  });

  it('counts again and sends a webhook if booked late', async () => {
    const { books, relay, refund, refunds, searched } = await setUp();
    books.refund = 'booked_and_lost';
    books.lag = 2;
    const { id } = await refund([item('60.00'), item('30.00')]);
    for (const ms of [1000, 8 * MINUTE, 8 * MINUTE]) await searched(id, ms);
    expect(await operation(relay, id)).toMatchObject({ status: 'settled', items: ['failed', 'failed'] });
    books.lag = 1;
    await searched(id, MINUTE);
    const ids = [`${transaction_id}-01`, `${transaction_id}-02`];
    const one = { items: ['succeeded', 'failed'], refund_reference_ids: ids.slice(0, 1), absent: [1], late: true };
    expect(await operation(relay, id)).toMatchObject({ status: 'settled', settlement: one });
    expect((await refund([item('70.00')])).code).toBe('refund_exceeds_payment');
    books.lag = 0;
    await searched(id, MINUTE);
    const both = { items: ['succeeded', 'succeeded'], refund_reference_ids: ids, late: true };
    expect(await operation(relay, id)).toMatchObject({ settlement: both });
    expect((await refund([item('40.00')])).code).toBe('refund_exceeds_payment');
    expect(relay.logLines.join('')).toContain('it may have been made twice');
    const events = (await relay.get('/v1/events?type=operation.settled', apiKey)).body.events;
    const data = [{ settlement: both }, { settlement: one }, { items: ['failed', 'failed'] }];
    expect(events).toMatchObject(data.map((one) => ({ data: { id, ...one } })));
    expect(refunds()).toHaveLength(1);
  });

  it('is searched for before it is sent again', async () => {
    const { books, relay, refund, refunds, searched } = await setUp();
    books.refund = 'booked_and_lost';
    books.lag = 1;
    const { id } = await refund([item('10.00')]);
    for (const ms of [1000, 8 * MINUTE, 8 * MINUTE]) await searched(id, ms);
    expect(await operation(relay, id)).toMatchObject({ status: 'settled', items: ['failed'] });
    books.lag = 0;
    books.refund = 'answered';
    expect(await refund([item('10.00')])).toMatchObject({ status: 409, code: 'refund_exceeds_payment', id });
    expect(await operation(relay, id)).toMatchObject({ items: ['succeeded'], settlement: { late: true } });
    expect(refunds()).toHaveLength(1);
    expect((await refund([item('10.00')])).status, 'a person checked, and requests another one').toBe(200);
  });

  it('blocks refunds under another spelling of its payment', async () => {
    const { books, relay, refund, refunds, searched } = await setUp();
    books.refund = 'booked_and_lost';
    books.lag = 1;
    const known = { transaction_id: 'TX-1' };
    const { id } = await refund([item('10.00', known)]);
    for (const ms of [1000, 8 * MINUTE, 8 * MINUTE]) await searched(id, ms);
    expect(await operation(relay, id)).toMatchObject({ status: 'settled', items: ['failed'] });
    books.lag = 0;
    books.refund = 'answered';
    const other = item('10.00', { transaction_id: 'tx-1' });
    expect(await refund([other])).toMatchObject({ status: 400, code: 'transaction_id_form' });
    expect(await refund([item('10.00', known)])).toMatchObject({ status: 409, code: 'refund_exceeds_payment', id });
    expect(refunds()).toHaveLength(1);
  });

  it('in a batch is distinguished from refunds that searches show', async () => {
    const { books, relay, refund, searched } = await setUp();
    books.refund = 'booked_and_lost';
    const { id } = await refund([item('10.00'), item('20.00'), item('30.00')]);
    books.records.splice(1, 1);
    for (const ms of [1000, 8 * MINUTE]) await searched(id, ms);
    expect(await operation(relay, id)).toMatchObject({ status: 'unknown' });
    expect((await refund([item('80.00')])).code).toBe('refund_exceeds_payment');
    await searched(id, 8 * MINUTE);
    const items = ['succeeded', 'failed', 'succeeded'];
    expect(await operation(relay, id)).toMatchObject({ status: 'settled', items, settlement: { absent: [1] } });
    books.refund = 'answered';
    expect((await refund([item('89.91')])).code).toBe('refund_exceeds_payment');
    expect((await refund([item('89.90')])).status).toBe(200);
  });

  it.each<[string, string, (truth: object) => object]>([
    ['have no list', 'search_unanswered', withoutList],
    [
      'show payments that were not asked for',
      'undecided',
      (truth) => ({
        ...truth,
        refund_orders: [{ ...item('10.00', { transaction_id: 'T', order_no: 'x' }), refund_reference_id: 'R' }],
      }),
    ],
  ])('stays reserved if searches %s', async (_, found, spoil) => {
    const { books, relay, refund, searched } = await setUp();
    books.refund = 'lost';
    const { id } = await refund([item('100.00')]);
    books.search = (res, truth) => sendSigned(res, spoil(truth));
    for (const ms of [1000, 8 * MINUTE, 8 * MINUTE, 8 * MINUTE]) await searched(id, ms);
    expect(await operation(relay, id)).toMatchObject({ status: 'unknown', unknown: { last_query: { found } } });
    expect((await refund([item('30.00')])).code).toBe('refund_exceeds_payment');
  });

  it('is free without a list if the profile says so', async () => {
    const { books, relay, refund, searched } = await setUp({ query_without_list: 'empty' });
    books.refund = 'lost';
    books.search = (res, truth) => sendSigned(res, withoutList(truth));
    const { id } = await refund([item('100.00')]);
    for (const ms of [1000, 8 * MINUTE, 8 * MINUTE]) await searched(id, ms);
    expect(await operation(relay, id)).toMatchObject({ status: 'settled', items: ['failed'] });
  });

  it('is not mistaken for an earlier one without a search result', async () => {
    const { books, relay, refund, searched } = await setUp();
    // Made in the gateway's portal.
    books.add(item('10.00'));
    books.search = (res, truth) => sendSigned(res, withoutList(truth));
    books.refund = 'lost';
    const { id } = await refund([item('10.00')]);
    books.search = undefined;
    await searched(id, 1000);
    expect(await operation(relay, id)).toMatchObject({ status: 'unknown' });
  });

  it('is found at a gateway that answers in 600 ms', async () => {
    const { books, relay, refund, searched } = await setUp();
    books.refund = 'booked_and_lost';
    books.search = (res, truth) => void setTimeout(() => sendSigned(res, truth), 600);
    const { id } = await refund([item('10.00'), item('20.00')]);
    await searched(id, 1000);
    const settlement = { by: 'refund_search', items: ['succeeded', 'succeeded'] };
    await becomes(relay, id, { status: 'settled', settlement });
  });
});
