import { sandboxGateway } from '../../support/gateways/sandbox-gateway.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';

/** What stands between a request and its answer: the gateway has it, has booked it, has answered it. */
export type Phase = 'received' | 'booked' | 'answered';

/** The sandbox's gateway, whose books tell what really happened. */
export async function startBooks() {
  const gateway = await sandboxGateway();
  const { payments, refunds, payouts } = gateway.books;
  return {
    url: gateway.url,
    /** Payments of an order that took money. */
    charges: (orderNo: string) =>
      payments.list().filter(({ order, state }) => order.order_no === orderNo && state.status === 'approved'),
    refunds: (transactionId: string) =>
      refunds.list().filter(({ payment }) => payment.transaction_id === transactionId),
    payouts: (reference: string) => payouts.list().filter(({ request }) => request.reference === reference),
  };
}

/**
 * A wire to a gateway on which a test is told of every phase of every call. A call that the test lets pass goes on even
 * when its caller has died.
 */
export async function startWire(target: string, passes: (call: number, phase: Phase) => void) {
  let calls = 0;
  return scriptedGateway(async ({ path, contentType, raw }, res) => {
    calls += 1;
    const call = calls;
    passes(call, 'received');
    const headers = { 'content-type': contentType };
    const answer = await fetch(`${target}${path}`, { method: 'POST', headers, body: raw });
    const text = await answer.text();
    passes(call, 'booked');
    res.on('error', () => undefined);
    res.writeHead(answer.status, { 'content-type': String(answer.headers.get('content-type')) });
    res.end(text, () => passes(call, 'answered'));
  });
}
