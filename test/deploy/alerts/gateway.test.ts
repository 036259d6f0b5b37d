import { expect, it, onTestFinished, vi } from 'vitest';
import { approving, drop, type Script, scriptedGateway, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { refusedWith } from '../../support/gateways/settlement.ts';
import { freePort } from '../../support/http/free-port.ts';
import { apiKey, card, order, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { expectFiring, scrapeOf, scrapeWith } from './firing.ts';

const pay = (relay: TestRelay, body: object = order()) => relay.post('/v1/payments', apiKey, { ...body, ...card });

async function payTimes(times: number, relay: TestRelay): Promise<void> {
  for (let time = 0; time < times; time++) await pay(relay);
}

it('GatewayDown, PaymentsFail and RequestsFail fire without a gateway', async () => {
  const relay = await startTestRelay({ gatewayUrl: `http://127.0.0.1:${await freePort()}` });
  const before = await scrapeOf(relay);
  // The first failure makes the series of 5xx answers.
  await payTimes(1, relay);
  const first = await scrapeOf(relay);
  await payTimes(4, relay);
  const after = await scrapeOf(relay);
  expect(after).toContain('turnpike_lost{part="gateway",code="ECONNREFUSED"} 1\n');
  const lastingFor = (minutes: number) =>
    [
      { scrape: before, minutes: 10 },
      { scrape: first, minutes: 1 },
      { scrape: after, minutes },
    ] as const;
  expectFiring('GatewayDown', lastingFor(3));
  expectFiring('PaymentsFail', lastingFor(3));
  expectFiring('RequestsFail', lastingFor(15));
});

it('GatewayFails fires where one connection in five breaks', async () => {
  let calls = 0;
  const gateway = await scriptedGateway((received, ...rest) => {
    calls += received.path === '/v1/authorise' ? 1 : 0;
    const script: Script = received.path === '/v1/authorise' && calls % 5 === 0 ? drop : approving;
    script(received, ...rest);
  });
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { resolve: { first_ms: 3_600_000 } } });
  const before = await scrapeOf(relay);
  await payTimes(5, relay);
  expectFiring('GatewayFails', [
    { scrape: before, minutes: 10 },
    { scrape: await scrapeOf(relay), minutes: 15 },
  ]);
});

it('GatewaySlow fires where the gateway takes twelve seconds', async () => {
  const { now } = performance;
  let ahead = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ahead);
  onTestFinished(() => clock.mockRestore());
  const gateway = await scriptedGateway((...message) => {
    ahead += 12_000;
    approving(...message);
  });
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  const before = await scrapeOf(relay);
  await payTimes(3, relay);
  expectFiring('GatewaySlow', [
    { scrape: before, minutes: 10 },
    { scrape: await scrapeOf(relay), minutes: 15 },
  ]);
});

it('GatewayRefuses fires where the gateway does not know the account', async () => {
  const gateway = await scriptedGateway(refusedWith(401));
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  const before = await scrapeOf(relay);
  await payTimes(1, relay);
  expectFiring('GatewayRefuses', [
    { scrape: before, minutes: 10 },
    { scrape: await scrapeOf(relay), minutes: 10 },
  ]);
});

it('QueriesBehind fires for queries that wait', async () => {
  let ahead = 0;
  const gateway = await scriptedGateway(drop);
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    now: () => new Date(Date.now() + ahead),
    // No query begins again after the first failure.
    monotonic: () => 0,
  });
  const before = await scrapeOf(relay);
  await pay(relay);
  await scrapeWith(relay, /^turnpike_gateway_calls_total\{[^}]*"query"[^}]*\} [1-9]/m);
  ahead = 600_000;
  const after = await scrapeWith(relay, /^turnpike_resolver_lag_seconds [1-9]\d\d/m);
  expectFiring('QueriesBehind', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 10 },
  ]);
});

it('ReconciliationFinds fires for orders that only a reconciliation settles', async () => {
  const asked = order();
  const record = { ...asked, payment_status: '3000', transaction_id: 'T-1' };
  const gateway = await scriptedGateway((received, res) => {
    if (received.path === '/v1/authorise') res.destroy();
    else sendRecords(res, [record]);
  });
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { resolve: { first_ms: 3_600_000 } } });
  const before = await scrapeOf(relay);
  await pay(relay, asked);
  const { body } = await relay.post(`/v1/orders/${asked.order_no}/reconcile`, apiKey, {});
  expect(body).toMatchObject({ status: 'paid' });
  expectFiring('ReconciliationFinds', [
    { scrape: before, minutes: 10 },
    { scrape: await scrapeOf(relay), minutes: 15 },
  ]);
});

it('GatewayClockOff fires for records that are dated before their payment', async () => {
  const asked = order();
  const transaction_date = new Date(Date.now() - 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14);
  const record = { ...asked, payment_status: '3000', transaction_id: '00012345678901234567', transaction_date };
  const gateway = await scriptedGateway((received, ...rest) => {
    if (received.path === '/v1/authorise') approving(received, ...rest);
    else sendRecords(rest[0], [record]);
  });
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  const before = await scrapeOf(relay);
  await pay(relay, asked);
  await relay.post(`/v1/orders/${asked.order_no}/reconcile`, apiKey, {});
  const after = await scrapeWith(relay, /^turnpike_record_clock_offset [1-9]/m);
  expectFiring('GatewayClockOff', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 5 },
  ]);
});
