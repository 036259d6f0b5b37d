import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { payRequest } from './payment.ts';

/** One request. Its answer must match `expects`. */
type VisitRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  expects: RegExp;
};

/** The requests of one visitor, each sent after the answer to the one before. */
export type Visit = readonly VisitRequest[];

/** An approved payment. */
export const paid = z.object({ order_no: z.string(), transaction_id: z.string() });

/** All visits of a run: one for each client secret, or for each payment to refund. */
export const visits = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('payment'), secrets: z.array(z.string()) }),
  z.object({ kind: z.literal('checkout'), secrets: z.array(z.string()) }),
  z.object({ kind: z.literal('refund'), payments: z.array(paid) }),
]);
export type Visits = z.infer<typeof visits>;

/** The requests of all visits. `number` gives each payment another number, and so another card and browser. */
export function requestsOf(visits: Visits, number: () => number): Visit[] {
  switch (visits.kind) {
    case 'payment':
      return visits.secrets.map((secret) => [payment(secret, number())]);
    case 'checkout':
      return visits.secrets.map((secret) => checkout(secret, number()));
    case 'refund':
      return visits.payments.map((payment) => [refund(payment)]);
  }
}

/** A payment of a session. */
function payment(secret: string, number: number): VisitRequest {
  const { headers, body } = payRequest(number);
  const authorization = `Bearer ${secret}`;
  // The relay answers in JSON, the pass-through with the gateway's XML.
  const expects = /"approved"|<order_status>1</;
  return { method: 'POST', path: '/checkout/api/pay', headers: { ...headers, authorization }, body, expects };
}

/** A whole checkout: the page of the form, the request of its script, the payment, and the shop's server that reads the outcome. */
function checkout(secret: string, number: number): Visit {
  const pay = payment(secret, number);
  const [id] = secret.split('.');
  const { 'content-type': _, ...browser } = pay.headers;
  const html = { ...browser, accept: 'text/html', 'accept-encoding': 'gzip, deflate, br', 'sec-fetch-dest': 'iframe' };
  return [
    { method: 'GET', path: `/checkout/${id}`, headers: html, expects: /./ },
    { method: 'GET', path: '/checkout/api/session', headers: browser, expects: /"open"/ },
    pay,
    { method: 'GET', path: `/v1/sessions/${id}`, headers: { authorization: 'Bearer bench' }, expects: /"approved"/ },
  ];
}

/** A partial refund of one payment, as a shop's server sends it. */
function refund({ order_no, transaction_id }: z.infer<typeof paid>): VisitRequest {
  const item = { transaction_id, order_no, currency: 'BRL', amount: '129.90', refund_amount: '29.90' };
  return {
    method: 'POST',
    path: '/v1/refund',
    headers: {
      authorization: 'Bearer bench',
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ refund_orders: [{ ...item, refund_reason: 'One of two teas was sold out.' }] }),
    expects: /"refund_status":"1"/,
  };
}
