import { describe, expect, it } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { operationList } from '../../../shared/api/operation.ts';
import { done, refunding, setUp } from '../../support/gateways/refunding.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey, otherAccountKey, queryOnlyKey } from '../../support/relays/relay.ts';

const path = '/v1/operations';

/** A relay with two refunds and an unanswered capture that waits for a person. */
async function start() {
  const script = refunding(() => done);
  const set = await setUp((received, res, req) => {
    if (received.path.endsWith('capture')) return void res.destroy();
    return script(received, res, req);
  });
  const { relay, refund } = set;
  const id = (answer: { headers: Headers; body: Record<string, unknown> }): string =>
    String(answer.headers.get('x-operation-id') ?? answer.body.operation_id);
  const refunds = [id(await refund('1.00')), id(await refund('2.00'))];
  const item = { transaction_id: 'T-9', order_no: 'A-9', currency: 'BRL', amount: '5.00' };
  const capture = id(await relay.post('/v1/capture', apiKey, { capture_orders: [item], references: ['c-9'] }));
  return { relay, refunds, capture, client: createClient({ url: relay.url, apiKey }) };
}

const ids = (found: readonly { id: string }[]): string[] => found.map(({ id }) => id);

describe('the list of operations', () => {
  it('shows only enough of a payee to recognise it', async () => {
    const { relay } = await start();
    const bank_details = {
      account_number: '000123456',
      iban: 'DE00 1234 5678',
      bank_name: 'Example Bank',
      swift_code: 'X',
    };
    await relay.post('/v1/payout', apiKey, {
      ...{ request_id: '5b1d6a3e-2f0a-4d7e-9d43-0d7f2f1f9a11', payment_amount: '10', payment_currency: 'USD' },
      ...{ reason: 'Goods', client_data: 'ours', payer: { company_name: 'Shop' } },
      beneficiary: { first_name: 'Ada', last_name: 'Byron', address: { city: 'London' }, bank_details },
    });
    const { body } = await relay.get(`${path}?operation=payout`, apiKey);
    expect(body).toMatchObject({ operations: [{ payout: { notifications: 0 } }] });
    const [payout] = operationList.parse(body).operations;
    const masked = { account_number: '•••• 3456', iban: '•••• 5678', bank_name: 'Example Bank' };
    expect(payout?.request).toEqual({
      ...{ request_id: expect.any(String), payment_amount: '10', payment_currency: 'USD', reason: 'Goods' },
      beneficiary: { first_name: 'Ada', last_name: 'B.', bank_details: masked },
    });
  });

  it('shows everything except the messages of the gateway', async () => {
    const { relay, refunds, capture } = await start();
    const reference = documented();
    const listed = await relay.get(path, apiKey);
    reference.check('get', path, listed);
    expect(listed.headers.get('cache-control')).toBe('no-store');
    const { operations, next } = listed.body;
    expect(next).toBeUndefined();
    const answers = await Promise.all(
      [capture, ...refunds.toReversed()].map(async (id) => (await relay.get(`${path}/${id}`, apiKey)).body),
    );
    expect(operations).toEqual(answers.map(({ answer: _, evidence: __, ...summary }) => summary));
    expect(operations).toMatchObject([
      { operation: 'capture', status: 'unknown', references: ['c-9'], unknown: { needs_attention: true } },
      { operation: 'refund', status: 'answered', items: ['succeeded'] },
      { operation: 'refund', by: expect.any(String) },
    ]);
  });

  it('filters by operation, status and attention, in pages', async () => {
    const { client, refunds, capture } = await start();
    const newest = refunds.toReversed();
    const list = client.operations.list;
    expect(ids((await list({ operation: 'refund' })).operations)).toEqual(newest);
    expect(ids((await list({ status: 'answered' })).operations)).toEqual(newest);
    expect(ids((await list({ status: 'unknown', operation: 'capture' })).operations)).toEqual([capture]);
    expect(ids((await list({ needs_attention: true })).operations)).toEqual([capture]);
    expect((await list({ needs_attention: true, operation: 'refund' })).operations).toEqual([]);
    const page = await list({ limit: 2 });
    expect(ids(page.operations)).toEqual([capture, newest[0]]);
    const rest = await list({ limit: 2, before: page.next ?? '' });
    expect(ids(rest.operations)).toEqual([newest[1]]);
    expect(rest.next).toBeUndefined();
    const each: string[] = [];
    for await (const { id } of client.operations.each({ limit: 1 })) each.push(id);
    expect(each).toEqual([capture, ...newest]);
  });

  it('contains only the account’s own, for keys with the scope', async () => {
    const { relay } = await start();
    const reference = documented();
    const other = await relay.get(path, otherAccountKey);
    expect(other.body).toEqual({ operations: [] });
    const refused = await relay.get(path, queryOnlyKey);
    expect(refused.body.code).toBe('missing_scope');
    reference.check('get', path, refused);
  });

  it.each(['before=x', 'before=99999999999999-op_1', 'operation=query', 'status=lost', 'limit=101', 'order=1'])(
    'refuses %s',
    async (query) => {
      const { relay } = await setUp();
      const refused = await relay.get(`${path}?${query}`, apiKey);
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      documented().check('get', path, refused);
    },
  );
});
