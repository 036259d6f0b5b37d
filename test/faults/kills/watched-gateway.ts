import { sandboxGateway } from '../../support/gateways/sandbox-gateway.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';

/** A phase of a request: the gateway has received it, or has booked it. */
export type Phase = 'received' | 'booked';

/** The sandbox's gateway, whose records show what really happened. */
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
 * A proxy to a gateway. It reports each phase of each call to a test, which returns `false` to stop the call there:
 * then the gateway never receives it, or the relay never receives the answer.
 */
export async function startWire(target: string, passes: (path: string, phase: Phase) => Promise<boolean>) {
  return scriptedGateway(async ({ path, contentType, raw }, res) => {
    res.on('error', () => undefined);
    if (!(await passes(path, 'received'))) return void res.destroy();
    const headers = { 'content-type': contentType };
    const answer = await fetch(`${target}${path}`, { method: 'POST', headers, body: raw });
    const text = await answer.text();
    if (!(await passes(path, 'booked'))) return void res.destroy();
    res.writeHead(answer.status, { 'content-type': String(answer.headers.get('content-type')) });
    res.end(text);
  });
}
