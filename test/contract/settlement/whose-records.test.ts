import { describe, expect, it } from 'vitest';
import { approval, type Script, sendRecords, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { ordersOf, type Settlement, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';

const soon = { absent_ms: 300 };

/** Approves, and writes the order number in upper case. */
const approvedInCapitals: Script = (received, res) =>
  sendXml(res, signedXml({ ...approval(received), order_no: String(received.message.order_no).toUpperCase() }));

/** Queries return records with the order number in this form. */
function answersAs({ scripts, books }: Settlement, form: (orderNo: string) => string): void {
  scripts.query = (received, res) => {
    const records = books.of(ordersOf(received));
    sendRecords(
      res,
      records.map((record) => ({ ...record, order_no: form(String(record.order_no)) })),
    );
  };
}

describe.each(stores)('a query whose records have other order numbers, on %s', (kind) => {
  const newStore = storesOf(kind);
  const setUp = (options: Parameters<typeof setUpSettlement>[1] = { resolve: soon }) =>
    setUpSettlement(newStore, options);

  async function unanswered(stack: Settlement, order_no: string) {
    const session = await stack.session({ order: { order_no } });
    expect((await stack.byCard(session.secret)).body).toEqual({ status: 'unknown' });
    return session;
  }

  it('counts only if it contains the list', async () => {
    const stack = await setUp();
    stack.scripts.query = (_received, res) => sendRecords(res, [], { orders_list: undefined });
    const { id, secret, orderNo } = await stack.session();
    await stack.byCard(secret);
    await stack.waitForQueries(orderNo, 6);
    expect(await stack.relay.truth(id)).toMatchObject({
      status: 'unknown',
      unknown: { last_query: { found: 'query_unanswered' } },
    });
    expect(await stack.byCard(secret)).toMatchObject({ status: 409 });
    stack.scripts.query = (received, res) => sendRecords(res, stack.books.of(ordersOf(received)));
    await stack.becomes(id, { status: 'open', attempts: [{ status: 'not_paid', reason: 'absent' }] });
    expect(stack.gateway.authorised()).toHaveLength(1);
  });

  it('is empty without a list if the profile says so', async () => {
    const stack = await setUp({ resolve: soon, profile: { query_without_list: 'empty' } });
    stack.scripts.query = (_received, res) => sendRecords(res, [], { orders_list: undefined });
    const { id, secret } = await stack.session();
    await stack.byCard(secret);
    await stack.becomes(id, { status: 'open', attempts: [{ status: 'not_paid', reason: 'absent' }] });
  });

  it('proves a signed approval with the order number in upper case', async () => {
    const stack = await setUp();
    stack.scripts.pay = approvedInCapitals;
    answersAs(stack, (orderNo) => orderNo.toUpperCase());
    const { id, orderNo, secret } = await unanswered(stack, 'Shop-order-aBc-1');
    await stack.waitForQueries(orderNo, 8);
    // Its own signed answer approved it: only a record or a person can end that.
    expect(await stack.relay.truth(id)).toMatchObject({ status: 'unknown', unknown: { reason: 'echo_mismatch' } });
    expect(await stack.byCard(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    stack.books.write(orderNo, 'T1', '3000');
    await stack.becomes(id, { status: 'approved', transaction_id: 'T1', order_no: orderNo });
    expect(stack.gateway.authorised()).toHaveLength(1);
    await expect.poll(() => stack.shop.types()).toEqual(['session.unknown', 'session.approved', 'payment.ready']);
  });

  it.each<[string, (orderNo: string) => string]>([
    ['in capitals', (orderNo) => orderNo.toUpperCase()],
    ['with a blank at the end', (orderNo) => `${orderNo} `],
  ])('finds a payment whose order number comes %s', async (_, form) => {
    const stack = await setUp();
    answersAs(stack, form);
    const { id, orderNo, secret } = await stack.session({ order: { order_no: 'Order-xY' } });
    stack.books.write(orderNo, 'T1', '3000');
    await stack.byCard(secret);
    await stack.becomes(id, { status: 'approved', transaction_id: 'T1' });
    expect(stack.gateway.authorised()).toHaveLength(1);
  });

  it('credits no record that names another order of the account', async () => {
    const stack = await setUp();
    const { books, scripts } = stack;
    const other = await stack.session({ order: { order_no: 'ORDER-1' } });
    books.write('ORDER-1', 'T-other', '3000');
    // The gateway ignores the case of letters.
    scripts.query = (received, res) =>
      sendRecords(res, ordersOf(received).some((name) => /^order-1$/i.test(name)) ? books.records : []);
    const { id, orderNo } = await unanswered(stack, 'order-1');
    await stack.waitForQueries(orderNo, 6);
    expect(await stack.relay.truth(id)).toMatchObject({ status: 'unknown', attempts: [{ status: 'unknown' }] });
    expect(await stack.relay.truth(other.id)).not.toMatchObject({ status: 'approved' });
    books.write('order-1', 'T-own', '3000');
    await stack.becomes(id, { status: 'approved', transaction_id: 'T-own' });
  });

  it('proves no absence beside records of unrequested orders', async () => {
    const stack = await setUp();
    const { scripts, books, relay } = stack;
    const foreign = { ...{ order_no: 'NOT-ASKED', transaction_id: 'T9', payment_status: '3000' }, amount: '129.90' };
    scripts.query = (received, res) =>
      sendRecords(res, [...books.of(ordersOf(received)), { ...foreign, currency: 'BRL' }]);
    const { id, secret, orderNo } = await unanswered(stack, 'A-foreign');
    await stack.waitForQueries(orderNo, 6);
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown' });
    expect(await stack.byCard(secret)).toMatchObject({ status: 409 });
    const { text } = await relay.get('/metrics');
    expect(Number(/^turnpike_foreign_records_total (\d+)/m.exec(text)?.[1])).toBeGreaterThan(0);
    // An approved record of its own still proves the payment.
    books.write(orderNo, 'T1', '3000');
    await stack.becomes(id, { status: 'approved', transaction_id: 'T1' });
  });

  it('does not delay the absence of other orders', async () => {
    const stack = await setUp();
    const { scripts, books } = stack;
    scripts.query = (received, res) => {
      const isBad = ordersOf(received).includes('A-bad');
      sendRecords(res, [
        ...books.of(ordersOf(received)),
        ...(isBad ? [{ order_no: 'A-b', payment_status: '3000' }] : []),
      ]);
    };
    const bad = await unanswered(stack, 'A-bad');
    const others = [await unanswered(stack, 'A-1'), await unanswered(stack, 'A-2'), await unanswered(stack, 'A-3')];
    for (const { id } of others) await stack.becomes(id, { status: 'open', attempts: [{ reason: 'absent' }] });
    expect(await stack.relay.truth(bad.id)).toMatchObject({ status: 'unknown' });
  });

  it('is not affected by later charges of a contract', async () => {
    const stack = await setUp();
    const { scripts, books, shop } = stack;
    const contract = { subscription_result: { recurring_id: 'R1' } };
    const { id, secret, orderNo } = await stack.session();
    scripts.pay = (received, res) =>
      sendXml(res, signedXml({ ...approval(received), transaction_id: 'T1', recurring_id: 'R1' }));
    expect((await stack.byCard(secret)).body.status).toBe('approved');
    books.write(orderNo, 'T1', '3000', contract);
    scripts.query = (received, res) => {
      const later = { order_no: `${orderNo}-2`, transaction_id: 'T2', payment_status: '3000', ...contract };
      sendRecords(res, [...books.of(ordersOf(received)), later]);
    };
    const reconciled = await stack.reconcile(orderNo);
    expect(reconciled).toMatchObject({ status: 200, body: { status: 'paid' } });
    const { text } = await stack.relay.get('/metrics');
    expect(text).toMatch(/^turnpike_foreign_records_total 0$/m);
    expect((await stack.relay.truth(id)).status).toBe('approved');
    await expect.poll(() => shop.types()).toContain('session.approved');
  });

  it.each([
    ['no record if the profile lists its query_result', { codes: { query_result: { not_found: ['0'] } } }, 'open'],
    ['a record of another amount otherwise', {}, 'unknown'],
  ])('treats a placeholder as %s', async (_, profile, status) => {
    const stack = await setUp({ resolve: soon, profile });
    stack.scripts.query = (received, res) =>
      sendRecords(
        res,
        ordersOf(received).map((order_no) => ({ order_no, query_result: '0', amount: '', payment_status: '' })),
      );
    const { id, secret } = await stack.session();
    await stack.byCard(secret);
    const reason = status === 'open' ? {} : { unknown: { reason: 'amount_differs', needs_attention: true } };
    await stack.becomes(id, { status, ...reason });
  });
});
