import { sandboxGateway } from '../../support/gateways/sandbox-gateway.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';

/** What stands between a request and its answer: the gateway has it, or has booked it. */
export type Phase = 'received' | 'booked';

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
 * A wire to a gateway. A test is told of each phase of each call, and says with `false` that the call goes no further: then
 * the gateway never gets it, or nobody gets the answer.
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
