import { describe, expect, it } from 'vitest';
import { auditList } from '../../../shared/api/audit.ts';
import { done, refunding, setUp, transaction_id } from '../../support/gateways/refunding.ts';
import { apiKey, card, order } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const item = { transaction_id, order_no: 'A-1', currency: 'BRL', amount: '129.90', refund_amount: '10.00' };

const patched = (body: object) => ({
  method: 'PATCH',
  headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function audited() {
  const { relay } = await setUp(refunding(() => done));
  const page = async (query = '') => auditList.parse((await relay.get(`/v1/audit${query}`, apiKey)).body);
  const log = async (query = '') => (await page(query)).entries;
  /** A refusal is written after its answer. */
  const logOf = async (count: number) => {
    await until(`${count} entries`, async () => (await log()).length === count);
    return log();
  };
  const refund = (body: object) => relay.post('/v1/refund', apiKey, body);
  return { relay, page, log, logOf, refund };
}

describe('the audit log', () => {
  it('records who refunded what, and refusals', async () => {
    const { relay, logOf, refund } = await audited();
    const sent = await refund({ refund_orders: [item], references: ['r-1'] });
    expect(sent.status).toBe(200);
    await logOf(1);
    const used = await refund({ refund_orders: [item], references: ['r-1'] });
    expect(used.status).toBe(409);
    const [refused, made] = await logOf(2);
    const by = { by: expect.any(String), ip: expect.stringContaining('127.0.0.1'), action: 'refund', orders: ['A-1'] };
    const request_id = sent.headers.get('x-request-id');
    expect(made).toMatchObject({ ...by, subject: sent.headers.get('x-operation-id'), request_id });
    expect(made).not.toHaveProperty('problem');
    expect(refused).toMatchObject({ ...by, problem: 'reference_used' });
    const { refund_amount: amount, amount: _, ...named } = item;
    expect(made).toMatchObject({ items: [{ ...named, amount, outcome: 'succeeded' }], outcome: 'succeeded' });
    expect(refused).not.toHaveProperty('outcome');
    expect((await relay.get('/v1/audit', 'unknown')).status).toBe(401);
  });

  it('records each saved list without a shopper’s data', async () => {
    const { relay, logOf } = await audited();
    const orders = 'status=paid&created_from=2027-01-01T00:00:00Z&email=ada%40example.com&order_no_prefix=A&last4=1111';
    for (const path of [
      `/v1/orders?format=csv&${orders}`,
      '/v1/orders?format=csv',
      '/v1/audit?format=csv&order_no=A-1',
      '/v1/payments?format=csv&status=reversed',
      '/v1/operations?format=csv&operation=refund',
      '/v1/subscriptions?format=csv',
      '/v1/events?format=csv&status=failed',
    ]) {
      expect((await relay.get(path, apiKey)).status).toBe(200);
    }
    await relay.send('/v1/orders?format=csv', { method: 'HEAD', headers: { authorization: `Bearer ${apiKey}` } });
    await relay.get(`/v1/orders?${orders}`, apiKey);
    const logged = (await logOf(7)).map(({ action, subject }) => [action, subject]);
    expect(logged).toEqual([
      ['events.export', 'status=failed'],
      ['subscriptions.export', undefined],
      ['operations.export', 'operation=refund'],
      ['payments.export', 'status=reversed'],
      ['audit.export', 'order_no'],
      ['orders.export', undefined],
      ['orders.export', 'status=paid created_from=2027-01-01T00:00:00Z last4 email order_no_prefix'],
    ]);
  });

  it('records settlements, withdrawals, reconciliations and webhooks', async () => {
    const { relay, logOf } = await audited();
    const { id } = await relay.session();
    const note = { outcome: 'not_paid', note: 'n' };
    expect((await relay.post(`/v1/sessions/${id}/expire`, apiKey, {})).status).toBe(200);
    expect((await relay.post(`/v1/sessions/${id}/settle`, apiKey, note)).status).toBe(409);
    expect((await relay.post('/v1/orders/none/reconcile', apiKey, {})).status).toBe(404);
    expect((await relay.post('/v1/events/msg_none/acknowledge', apiKey, {})).status).toBe(404);
    expect((await relay.post('/v1/operations/op_none/settle', apiKey, { outcome: 'failed' })).status).toBe(404);
    expect((await relay.post('/v1/events/redeliver', apiKey, { status: 'failed' })).status).toBe(202);
    const logged = (await logOf(6)).map(({ action, subject, problem }) => [action, subject, problem]);
    expect(logged).toEqual(
      expect.arrayContaining([
        ['session.expire', id, undefined],
        ['session.settle', id, 'session_not_unsettled'],
        ['order.reconcile', undefined, 'not_found'],
        ['event.acknowledge', 'msg_none', 'not_found'],
        ['operation.settle', 'op_none', 'not_found'],
        ['events.redeliver', undefined, undefined],
      ]),
    );
  });

  it('records payments and changes by the shop’s server', async () => {
    const { relay, logOf } = await audited();
    const { id } = await relay.session();
    const change = (body: object) => relay.send(`/v1/sessions/${id}`, patched(body));
    expect((await change({ order: { amount: '5.00' } })).status).toBe(200);
    expect((await change({ order: { amount: '-1' } })).status).toBe(400);
    const payment = { ...order(), order_no: 'S-1', ...card };
    expect((await relay.post('/v1/payments', apiKey, payment)).status).toBe(200);
    expect((await relay.post('/v1/payments', apiKey, { ...payment, order_no: 'S-2', amount: 'x' })).status).toBe(400);
    // No card brand has such numbers, so only the request body identifies them as cards.
    const odd = { ...payment, card: '999999999995', order_no: 'N-9999 9999 9995' };
    expect((await relay.post('/v1/payments', apiKey, odd)).status).toBe(400);
    const logged = await logOf(5);
    expect(JSON.stringify(logged)).not.toContain('9999 9999');
    expect(logged.map(({ action, problem }) => [action, problem])).toEqual(
      expect.arrayContaining([
        ['session.update', undefined],
        ['session.update', 'invalid_request'],
        ['payment', undefined],
        ['payment', 'invalid_request'],
      ]),
    );
    const made = logged.filter(({ action }) => action === 'payment').map(({ orders }) => orders);
    expect(made).toEqual(expect.arrayContaining([['S-1'], ['S-2'], undefined]));
    expect(logged.find(({ action, problem }) => action === 'session.update' && !problem)).toMatchObject({
      subject: id,
    });
    expect(JSON.stringify(logged)).not.toContain(card.card);
  });

  it('is read page by page, and as CSV', async () => {
    const { relay, page, log, refund } = await audited();
    for (const order_no of ['A-1', '=1+1', 'A-3']) await refund({ refund_orders: [{ ...item, order_no }] });
    const first = await page('?limit=2');
    expect(first.entries).toMatchObject([{ orders: ['A-3'] }, { orders: ['=1+1'] }]);
    expect(await log(`?limit=2&before=${first.next}`)).toMatchObject([{ orders: ['A-1'] }]);
    expect(await log('?order_no=A-3')).toMatchObject([{ orders: ['A-3'] }]);
    expect(await log('?order_no=A-3&by=unknown')).toEqual([]);
    const { by = '' } = first.entries[0] ?? {};
    expect(await log(`?by=${encodeURIComponent(by)}`)).toHaveLength(3);
    for (const wrong of ['limit=0', 'by=', 'order=A-3']) {
      expect((await relay.get(`/v1/audit?${wrong}`, apiKey)).status, wrong).toBe(400);
    }
    const csv = await relay.send('/v1/audit', { headers: { authorization: `Bearer ${apiKey}`, accept: 'text/csv' } });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    const lines = csv.text.trim().split('\r\n');
    expect(lines[0]).toBe('id,at,by,action,subject,orders,items,outcome,decision,ip,request_id,problem');
    expect(lines[1]).toContain(`,A-3,${transaction_id} A-3 10.00 BRL succeeded,succeeded,,`);
    expect(lines).toHaveLength(4);
    expect(lines[2]).toContain(`"'=1+1"`);
    const linked = await relay.get('/v1/audit?format=csv&limit=1', apiKey);
    const [, exported = '', ...same] = linked.text.trim().split('\r\n');
    expect(exported).toContain(',audit.export,');
    expect(same).toEqual(lines.slice(1));
    expect(linked.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-demo-[\d-]{10}\.csv"$/);
    const rest = await relay.get(`/v1/audit?format=csv&before=${first.next}`, apiKey);
    expect(rest.text.trim().split('\r\n')).toEqual([lines[0], lines[3]]);
  });

  it('is complete as CSV, however many pages it has', async () => {
    const { relay } = await audited();
    const { store, now } = relay.context;
    const entry = { account: 'demo', at: now().toISOString(), by: 'server', action: 'refund' } as const;
    const ids = Array.from({ length: 405 }, (_, n) => `req_${n}`);
    for (const request_id of ids) await store.people.addAudit({ ...entry, request_id });
    const lines = (await relay.get('/v1/audit?format=csv', apiKey)).text.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[10])).toEqual(ids.toReversed());
  });

  it('masks card numbers in every field', async () => {
    const { log, logOf, refund, relay } = await audited();
    await refund({ refund_orders: [{ ...item, order_no: '4111111111111111', refund_amount: 'x' }] });
    await relay.post('/v1/sessions/4111111111111111/expire', apiKey, {});
    expect(JSON.stringify(await logOf(2))).not.toContain('4111111111111111');
    expect(await log('?order_no=4111111111111111')).toHaveLength(1);
  });
});
