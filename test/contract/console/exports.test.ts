import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { setUpOrderActions } from '../../support/relays/order-actions.ts';
import { apiKey, queryOnlyKey } from '../../support/relays/relay.ts';

describe.each(stores)('a list as CSV, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp() {
    const stack = await setUpOrderActions(newStore, { profile: { capture: { card: 'automatic' } } });
    /** The columns of each line of a file. */
    const file = async (path: string, route: string) => {
      const answer = await stack.relay.get(path, apiKey);
      stack.reference.check('get', route, answer);
      expect(answer.headers.get('content-type')).toContain('text/csv');
      const [head = '', ...lines] = answer.text.trim().split('\r\n');
      const names = head.split(',');
      const cellsOf = (line: string) => line.split(',').map((cell, at): [string, string] => [names[at] ?? '', cell]);
      return { answer, rows: lines.map((line) => Object.fromEntries(cellsOf(line))) };
    };
    return { ...stack, file };
  }

  it('causes no warning of the process', async () => {
    const { file } = await setUp();
    const warned: string[] = [];
    const note = (warning: Error) => void warned.push(warning.message);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    await file('/v1/orders?format=csv', '/v1/orders');
    expect(warned).toEqual([]);
  });

  it('contains each item of the filtered operations', async () => {
    const { relay, pay, act, file } = await setUp();
    const { orderNo, transactionId } = await pay();
    await act('refund', orderNo, { amount: '20.00', reason: 'cup broken', reference: 'return-1' });
    await act('refund', orderNo, { amount: '9.90', reason: '=1+1' });
    const payee = { company_name: 'Tea Gardens Ltd', bank_details: { account_number: '000123456' } };
    const paidOut = await relay.post('/v1/payout', apiKey, {
      ...{ request_id: randomUUID(), reason: 'tea', payment_amount: '90.00', payment_currency: 'BRL' },
      ...{ source_amount: '90.00', source_currency: 'BRL', payment_method: 'SWIFT', beneficiary: payee },
    });
    expect(paidOut.status, paidOut.text).toBe(200);
    const refunds = await file('/v1/operations?operation=refund&format=csv', '/v1/operations');
    expect(refunds.answer.headers.get('content-disposition')).toMatch(/filename="refund-demo-/);
    expect(refunds.rows).toMatchObject([
      { operation: 'refund', amount: '9.90', reason: '"\'=1+1"' },
      {
        ...{ operation: 'refund', item: '1', outcome: 'succeeded', order_no: orderNo, transaction_id: transactionId },
        ...{ amount: '20.00', currency: 'BRL', reason: 'cup broken', reference: 'return-1', by: 'all' },
      },
    ]);
    const [, began = ''] = refunds.rows.map(({ created_at }) => created_at ?? '');
    const [later = ''] = refunds.rows.map(({ created_at }) => created_at ?? '');
    const within = async (span: Record<string, string>) => {
      const query = new URLSearchParams({ operation: 'refund', format: 'csv', limit: '1', ...span });
      return (await file(`/v1/operations?${query}`, '/v1/operations')).rows.map(({ amount }) => amount);
    };
    expect(await within({ created_from: later })).toEqual(['9.90']);
    expect(await within({ created_from: began, created_to: later })).toEqual(['20.00']);
    expect(await within({ created_to: began })).toEqual([]);
    const payouts = await file('/v1/operations?operation=payout&format=csv', '/v1/operations');
    expect(payouts.rows).toMatchObject([{ payee: 'Tea Gardens Ltd', account: '•••• 3456', amount: '90.00' }]);
    expect((await file('/v1/operations?format=csv&limit=1', '/v1/operations')).rows).toHaveLength(3);
    expect((await relay.get('/v1/operations?format=csv', queryOnlyKey)).status).toBe(403);
  });

  it('contains the webhooks and the contracts', async () => {
    const { pay, file, shop } = await setUp();
    const { orderNo } = await pay();
    await shop.one('session.approved');
    const sent = { type: 'session.approved', order_no: orderNo, status: 'delivered', tries: '1' };
    const events = await file('/v1/events?type=session.approved&format=csv', '/v1/events');
    await expect
      .poll(async () => (await file('/v1/events?type=session.approved&format=csv', '/v1/events')).rows)
      .toMatchObject([sent]);
    expect(events.answer.headers.get('content-disposition')).toMatch(/filename="webhooks-demo-/);
    expect((await file('/v1/events?status=failed&format=csv', '/v1/events')).rows).toEqual([]);
    const { answer, rows } = await file('/v1/subscriptions?format=csv', '/v1/subscriptions');
    expect(answer.text).toMatch(/^recurring_id,contract_name,status,order_no,/);
    expect(rows).toEqual([]);
  });
});
