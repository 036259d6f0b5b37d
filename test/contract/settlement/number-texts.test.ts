import { describe, expect, it } from 'vitest';
import type { Script } from '../../support/gateways/scripted-gateway.ts';
import { ordersOf, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { apiKey } from '../../support/relays/relay.ts';

describe.each(stores)('a record in another form, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A payment with a lost answer, for which the gateway returns this record. */
  async function unansweredBy(record: (orderNo: string) => string) {
    const stack = await setUpSettlement(newStore, { resolve: { absent_ms: 3_600_000 } });
    const { id, secret, orderNo } = await stack.session();
    const query: Script = (received, res) => {
      const records = ordersOf(received).includes(orderNo) ? record(orderNo) : '';
      const envelope = '"merchant_id":100001,"account_id":200001,"return_status":1,"return_message":"OK"';
      res.writeHead(200, { 'content-type': 'application/json' }).end(`{${envelope},"orders_list":[${records}]}`);
    };
    expect((await stack.byCard(secret)).body).toEqual({ status: 'unknown' });
    stack.scripts.query = query;
    return { ...stack, id, orderNo };
  }

  it('is read with the original digits of its numbers', async () => {
    const numbers = '"amount":129.90,"transaction_id":12345678901234567890,"payment_status":3000';
    const { id, becomes, gateway } = await unansweredBy(
      (orderNo) => `{"order_no":"${orderNo}","currency":"BRL",${numbers}}`,
    );
    await becomes(id, { status: 'approved', transaction_id: '12345678901234567890' });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('may contain the currency in lower case', async () => {
    const { id, becomes, relay, orderNo } = await unansweredBy(
      (of) => `{"order_no":"${of}","currency":"brl","amount":"129.90","transaction_id":"T1","payment_status":"3000"}`,
    );
    await becomes(id, { status: 'approved', transaction_id: 'T1' });
    expect((await relay.get(`/v1/orders/${orderNo}`, apiKey)).body).toMatchObject({ currency: 'BRL' });
  });
});
