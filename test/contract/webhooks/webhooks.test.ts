import { describe, expect, it } from 'vitest';
import { PAUSE_MS } from '../../../relay/webhooks/delivery.ts';
import { sessionAnswer } from '../../../shared/api/session.ts';
import { methods, pix, redirection } from '../../support/gateways/issuer.ts';
import {
  approval,
  approving,
  type Received,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { serve } from '../../support/http/http-server.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';
import { keepTimers } from '../../support/time/timers.ts';
import { until } from '../../support/time/until.ts';

/** A relay with a receiver of its webhooks, at a gateway that the test scripts. */
async function setUp(script: Script, config: Record<string, unknown> = {}) {
  const receiver = await startReceiver();
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { ...withReceiver(receiver.url), ...config } });
  return { receiver, gateway, relay };
}

const declining: Script = (received, res) => {
  const answer = { ...approval(received), order_status: '0', result_info: '2001:Insufficient funds' };
  sendXml(res, signedXml(answer));
};

/** The record of a payment that the gateway made, whatever it answered. */
function paidRecord({ message }: Received): object {
  const { order_no, amount, currency } = message;
  const subscription_result = { recurring_id: 'R-77', recurring_status: '1' };
  return { order_no, amount, currency, transaction_id: 'T-9', payment_status: '3000', subscription_result };
}

describe('webhooks to the shop', () => {
  it('report an approved payment once, with the session’s API answer', async () => {
    const { receiver, relay } = await setUp(approving);
    const { id, secret } = await relay.session();
    await relay.pay(secret, card);
    const webhook = await receiver.one('session.approved');
    expect(webhook.data).toEqual(await relay.truth(id));
    expect(sessionAnswer.parse(webhook.data)).toMatchObject({ status: 'approved', card: '411111******1111' });
    expect(new Date(webhook.timestamp).toISOString()).toBe(webhook.timestamp);
    expect(receiver.types()).toEqual(['session.approved']);
    expect(receiver.wrong).toEqual([]);
  });

  it('arrive at once, whatever the outbox’s pause', async () => {
    // No pause ever ends.
    keepTimers(PAUSE_MS);
    const { receiver, relay } = await setUp(approving);
    for (let paid = 1; paid <= 6; paid++) {
      await relay.pay((await relay.session()).secret, card);
      await until('the webhook arrives', () => receiver.received.length === paid);
    }
  });

  it('report each decline, then the end of the session', async () => {
    const { receiver, relay } = await setUp(declining, { limits: { attempts_per_session: 2 } });
    const { secret } = await relay.session();
    await relay.pay(secret, card);
    await relay.pay(secret, card);
    const failed = await receiver.one('session.failed');
    expect(receiver.types()).toEqual(['session.declined', 'session.failed']);
    const result = { code: '2001', message: 'Insufficient funds' };
    expect(receiver.received[0]?.data).toMatchObject({
      status: 'open',
      result,
      attempts: [{ status: 'declined', result }],
    });
    expect(failed.data).toMatchObject({ status: 'failed', attempts: [{}, {}] });
  });

  it('report that a payment is unknown, then its outcome', async () => {
    let known: object[] = [];
    const { receiver, relay, gateway } = await setUp((received, res) => {
      if (received.path === '/v1/authorise') res.destroy();
      else sendRecords(res, known);
    });
    const { id, secret } = await relay.session();
    await relay.pay(secret, card);
    const unknown = await receiver.one('session.unknown');
    expect(unknown.data).toMatchObject({ id, status: 'unknown', unknown: { needs_attention: false } });
    const [sent] = gateway.authorised();
    if (sent) known = [paidRecord(sent)];
    const approved = await receiver.one('session.approved');
    expect(approved.data).toMatchObject({ id, status: 'approved', transaction_id: 'T-9' });
    expect(receiver.types().filter((type) => type.startsWith('session.'))).toEqual([
      'session.unknown',
      'session.approved',
    ]);
  });

  it('report once more when a person is needed', async () => {
    const { receiver, relay } = await setUp(
      (received, res) => (received.path === '/v1/authorise' ? res.destroy() : sendRecords(res, [])),
      { resolve: { first_ms: 50, max_ms: 50, give_up_ms: 60_000 } },
    );
    const { secret } = await relay.session();
    await relay.pay(secret, card);
    await receiver.one('session.unknown');
    relay.pass(60_000);
    await until('both webhooks arrive', () => receiver.types().length === 2);
    expect(receiver.received.map(({ type, data }) => [type, data.unknown])).toEqual([
      ['session.unknown', expect.objectContaining({ needs_attention: false })],
      ['session.unknown', expect.objectContaining({ needs_attention: true })],
    ]);
  });

  it('contain the recurring_id of the contract that a payment began', async () => {
    const { receiver, relay } = await setUp((received, res) => {
      sendXml(res, signedXml({ ...approval(received), contract_name: 'Tea', recurring_id: 'R-1' }));
    });
    const subscription = { contract: '1', contract_name: 'Tea', contract_amount: '129.90' };
    const { secret } = await relay.session({ order: { subscription } });
    await relay.pay(secret, card);
    expect((await receiver.one('session.approved')).data).toMatchObject({ recurring_id: 'R-1' });
  });

  it('contain the recurring_id also if only a query returns it', async () => {
    const gateway: { sent?: Received } = {};
    const { receiver, relay } = await setUp((received, res) => {
      if (received.path !== '/v1/authorise') return sendRecords(res, gateway.sent ? [paidRecord(gateway.sent)] : []);
      gateway.sent = received;
      res.destroy();
    });
    const { secret } = await relay.session();
    await relay.pay(secret, card);
    expect((await receiver.one('session.approved')).data).toMatchObject({ recurring_id: 'R-77' });
  });

  it('report that the shopper went to the issuer’s page', async () => {
    const issuer = await serve((_req, res) => res.end());
    const { receiver, relay } = await setUp((received, res) => {
      if (received.path === '/v1/authorise') sendXml(res, signedXml(redirection(received, issuer.url)));
      else sendRecords(res, []);
    });
    const { id, secret } = await relay.session(methods);
    await relay.pay(secret, pix);
    expect((await receiver.one('session.redirected')).data).toMatchObject({ id, status: 'redirected' });
    await issuer.close();
  });

  it('report that a session expired', async () => {
    const clock = { now: new Date() };
    const receiver = await startReceiver();
    const gateway = await scriptedGateway(approving);
    const config = withReceiver(receiver.url);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config, now: () => clock.now });
    const { id } = await relay.session({ expires_in: 120 });
    clock.now = new Date(clock.now.getTime() + 121_000);
    expect((await receiver.one('session.expired')).data).toMatchObject({ id, status: 'expired', attempts: [] });
  });

  it('report a payment by the shop’s server', async () => {
    const { receiver, relay } = await setUp(approving);
    const { card: number, ...rest } = card;
    const order = { order_no: `P-${process.pid}`, currency: 'BRL', amount: '10.00' };
    const { body } = await relay.post('/v1/payments', apiKey, { ...order, card: number, ...rest });
    expect((await receiver.one('session.approved')).data).toMatchObject({ id: body.id, order_no: order.order_no });
  });

  it('contain only the first six and last four card digits', async () => {
    const { receiver, relay } = await setUp(declining);
    const { secret } = await relay.session();
    await relay.pay(secret, card);
    const { raw } = await receiver.one('session.declined');
    expect(raw).not.toMatch(/4111111111111111|(?<![\w-])(737|2030)(?![\w-])/);
  });
});
