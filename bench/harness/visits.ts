import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { payRequest } from './payment.ts';

/** One request. `expects` is in its answer if all is well. */
type VisitRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  expects: RegExp;
};

/** The requests that one visitor makes, each when the one before is answered. */
export type Visit = readonly VisitRequest[];

/** A payment that was approved. */
export const paid = z.object({ order_no: z.string(), transaction_id: z.string() });

/** What the visitors do: one visit for each client secret, or for each payment to refund. */
export const visits = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('payment'), secrets: z.array(z.string()) }),
  z.object({ kind: z.literal('checkout'), secrets: z.array(z.string()) }),
  z.object({ kind: z.literal('refund'), payments: z.array(paid) }),
]);
export type Visits = z.infer<typeof visits>;

/** The requests of all visits. `number` counts payments on from one run to the next, for each has a card and a browser of its own. */
export function requestsOf(visiting: Visits, number: () => number): Visit[] {
  switch (visiting.kind) {
    case 'payment':
      return visiting.secrets.map((secret) => [payment(secret, number())]);
    case 'checkout':
      return visiting.secrets.map((secret) => checkout(secret, number()));
    case 'refund':
      return visiting.payments.map((payment) => [refund(payment)]);
  }
}

function payment(secret: string, number: number): VisitRequest {
  const { headers, body } = payRequest(number);
  const authorization = `Bearer ${secret}`;
  // The relay answers in JSON; the pass-through hands the gateway's XML on.
  const expects = /"approved"|<order_status>1</;
  return { method: 'POST', path: '/checkout/api/pay', headers: { ...headers, authorization }, body, expects };
}

/** The form in its frame, what its script reads, the payment, and the shop's server that reads the outcome. */
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

/** A refund of a part of one payment, as a shop's server asks for it. */
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
