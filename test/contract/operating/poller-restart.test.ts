import { describe, expect, it } from 'vitest';
import { methods, pix, redirection } from '../../support/gateways/issuer.ts';
import {
  drop,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/** A gateway that answers no payment and whose records the test writes. */
async function silentGateway(answer: Script = drop) {
  const books: { status?: string; change: object } = { change: {} };
  const gateway = await scriptedGateway((received, res, req) => {
    if (received.path === '/v1/authorise') return answer(received, res, req);
    const { amount, currency, order_no } = gateway.authorised()[0]?.message ?? {};
    const record = { amount, currency, order_no, transaction_id: 'T1', payment_status: books.status };
    sendRecords(res, books.status === undefined ? [] : [record], books.change);
  });
  return { gateway, books };
}

const resolve = { first_ms: 20, max_ms: 50 };

describe('the search for an unknown outcome', () => {
  it('continues after a restart of the relay', async () => {
    const { gateway, books } = await silentGateway();
    const first = await startTestRelay({ gatewayUrl: gateway.url, config: { resolve } });
    const { secret, id, orderNo } = await first.session();
    await first.pay(secret, card);
    await until('the gateway was queried twice', () => gateway.queried().length >= 2);
    await first.stop();

    const { folder } = first;
    const second = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { resolve } });
    const { unknown } = await second.truth(id);
    expect(unknown).toMatchObject({ reason: 'connection_lost', last_query: { found: 'absent' } });
    expect(unknown).toHaveProperty(
      'queries',
      expect.toSatisfy((queries: number) => queries >= 2),
    );
    const again = await second.post('/v1/sessions', apiKey, {
      order: { order_no: orderNo, currency: 'BRL', amount: '129.90' },
    });
    expect(again).toMatchObject({ status: 409, body: { code: 'order_in_progress' } });
    await second.stop();

    books.status = '3000';
    const third = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { resolve } });
    expect(await third.settled(id, 'unknown')).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('ends with an alarm, and a later proof settles the payment', async () => {
    const shop = await startReceiver();
    const { gateway, books } = await silentGateway();
    let ahead = 0;
    const relay = await startTestRelay({
      gatewayUrl: gateway.url,
      now: () => new Date(Date.now() + ahead),
      config: { ...withReceiver(shop.url), resolve: { ...resolve, give_up_ms: 60_000 } },
    });
    const { secret, id } = await relay.session();
    books.change = { return_status: '0' };
    await relay.pay(secret, card);
    await shop.one('session.unknown');
    ahead = 60_000;
    await until('it was given up', () => shop.received.length === 2);
    expect(shop.received.map(({ type, data }) => [type, data.unknown])).toEqual([
      ['session.unknown', expect.objectContaining({ needs_attention: false })],
      ['session.unknown', expect.objectContaining({ needs_attention: true })],
    ]);
    expect(await relay.truth(id)).toMatchObject({
      status: 'unknown',
      unknown: { needs_attention: true, last_query: { found: 'query_refused' } },
    });
    const asked = gateway.queried().length;
    books.change = {};
    books.status = '3000';
    await new Promise((done) => setTimeout(done, 300));
    expect(gateway.queried()).toHaveLength(asked);
    ahead = 86_400_000;
    expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'approved' });
  });

  it('shows the shop the gateway’s unexpected answer, without the card', async () => {
    const { gateway } = await silentGateway(({ message }, res) => {
      res
        .writeHead(502, { 'content-type': 'text/html' })
        .end(`<h1>Bad gateway</h1>${message.card} ${message.security_code}`);
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret, id } = await relay.session();
    await relay.pay(secret, card);
    const answer = await relay.get(`/v1/sessions/${id}`, apiKey);
    expect(answer.body).toMatchObject({
      status: 'unknown',
      attempts: [
        {
          status: 'unknown',
          reason: 'http_status',
          evidence: { http_status: 502, body: '<h1>Bad gateway</h1>411111******1111 ***' },
        },
      ],
    });
    expect(answer.text).not.toContain(card.card);
  });

  it('starts and ends with one webhook if the issuer’s page is refused', async () => {
    const shop = await startReceiver();
    const { gateway, books } = await silentGateway((received, res) =>
      sendXml(res, signedXml(redirection(received, 'http://169.254.169.254/'))),
    );
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { ...withReceiver(shop.url), resolve } });
    const { secret, id } = await relay.session(methods);
    const { body } = await relay.pay(secret, pix);
    const page = String(body.redirect_url).slice(relay.url.length);
    await Promise.all([relay.get(page), relay.get(page)]);
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown', unknown: { reason: 'issuer_unreachable' } });
    books.status = '4100';
    expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'open' });
    await shop.one('session.declined');
    expect(shop.types()).toEqual(['session.redirected', 'session.unknown', 'session.declined']);
  });
});
