import { onTestFinished } from 'vitest';
import { demoMerchant, parts } from '../../sandbox/demo.ts';
import { createGateway } from '../../sandbox/gateway/gateway.ts';
import { listen } from '../../sandbox/listen.ts';
import { bodyOf, serve } from '../support/http/http-server.ts';
import { account } from '../support/relays/relay.ts';

/** What stands between a request and its answer: the gateway has it, has booked it, has answered it. */
export type Phase = 'received' | 'booked' | 'answered';

/** The sandbox's gateway, whose books tell what really happened. */
export async function startBooks() {
  const { merchant_id, account_id } = account;
  const merchants = [{ merchant_id, account_id, signing_secret: account.signingSecret }, demoMerchant];
  const gateway = createGateway({ merchants, publicUrl: () => server.url });
  const server = await listen(gateway.app, 0, parts.gateway);
  onTestFinished(() => server.close());
  const { payments, refunds, payouts } = gateway.books;
  return {
    url: server.url,
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
  const wire = await serve(async (req, res) => {
    const body = await bodyOf(req);
    calls += 1;
    const call = calls;
    passes(call, 'received');
    const headers = { 'content-type': String(req.headers['content-type']) };
    const answer = await fetch(`${target}${req.url}`, { method: 'POST', headers, body });
    const text = await answer.text();
    passes(call, 'booked');
    res.on('error', () => undefined);
    res.writeHead(answer.status, { 'content-type': String(answer.headers.get('content-type')) });
    res.end(text, () => passes(call, 'answered'));
  });
  return { url: wire.url, close: wire.close };
}
