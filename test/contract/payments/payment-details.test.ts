import { describe, expect, it } from 'vitest';
import {
  approval,
  approving,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';

const details = {
  connector: 'acme',
  note: 'Thank you 4539578763621486',
  contract_name: '6011000990139424',
  recurring_id: 'R-1',
  recurring_deduction_period: '1',
  recurring_deduction_time: '2026-11-21 10:20:30',
};
const shown = { ...details, note: expect.stringMatching(/^Thank you 453957\*+1486$/) };

const subscribing: Script = (received, res) => sendXml(res, signedXml({ ...approval(received), ...details }));

async function setUp(script: Script) {
  const receiver = await startReceiver();
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: withReceiver(receiver.url) });
  return { receiver, relay };
}

describe('further payment details from the gateway', () => {
  it('are in the session and its webhook, without card data', async () => {
    const { receiver, relay } = await setUp(subscribing);
    const session = await relay.session();
    expect((await relay.pay(session.secret, card)).body).toMatchObject({ status: 'approved' });
    expect(await relay.truth(session.id)).toMatchObject({ status: 'approved', ...shown });
    expect((await receiver.one('session.approved')).data).toMatchObject(shown);
  });

  it('are in the answer to a payment by a server', async () => {
    const { relay } = await setUp(subscribing);
    const { body } = await relay.post('/v1/payments', apiKey, { ...order(), ...card });
    expect(body).toMatchObject({ status: 'approved', ...shown });
  });

  it('are omitted if the gateway sends none', async () => {
    const { relay } = await setUp(approving);
    const session = await relay.session();
    await relay.pay(session.secret, card);
    const truth = await relay.truth(session.id);
    expect(truth).toMatchObject({ status: 'approved', connector: 'acme' });
    for (const field of ['note', 'contract_name', 'recurring_deduction_period', 'recurring_deduction_time']) {
      expect(truth).not.toHaveProperty(field);
    }
  });

  it('come from the record if only a query proves the payment', async () => {
    const { connector: _, note: __, ...subscription_result } = details;
    let paid: Record<string, unknown> = {};
    const { receiver, relay } = await setUp((received, res) => {
      if (received.path === '/v1/authorise') {
        paid = received.message;
        res.destroy();
        return;
      }
      const { order_no, amount, currency } = paid;
      const record = { order_no, amount, currency, transaction_id: 'T-1', payment_status: '3000' };
      sendRecords(res, [{ ...record, subscription_result }]);
    });
    const session = await relay.session();
    await relay.pay(session.secret, card);
    expect(await relay.settled(session.id, 'unknown')).toMatchObject({ status: 'approved', ...subscription_result });
    expect((await receiver.one('session.approved')).data).toMatchObject(subscription_result);
  });
});
