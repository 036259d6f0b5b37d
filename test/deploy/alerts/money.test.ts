import { expect, it } from 'vitest';
import { operationCases } from '../../support/gateways/operation-cases.ts';
import { drop, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { approvedAs, paymentAnswers, setUpSettlement } from '../../support/gateways/settlement.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { expectFiring, scrapeOf, scrapeWith } from './firing.ts';

it('PaidTwice fires for a second payment of an order', async () => {
  const { books, scripts, relay, session, byPix, byCard, comeBack } = await setUpSettlement(async () => ({}));
  scripts.pay = (received, ...rest) => {
    const script = received.message.payment_method ? paymentAnswers.redirected : approvedAs('T2');
    script(received, ...rest);
  };
  const before = await scrapeOf(relay);
  const { secret, id, orderNo } = await session();
  await byPix(secret);
  await comeBack(id);
  expect((await byCard(secret)).body).toMatchObject({ status: 'approved' });
  books.write(orderNo, 'T2', '3000');
  books.write(orderNo, 'T1', '3000');
  const after = await scrapeWith(relay, /^turnpike_paid_twice_total 1$/m);
  expectFiring('PaidTwice', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 5 },
  ]);
});

it('NeedsAttention fires for a payment that the records contradict', async () => {
  const { books, relay, session, byCard } = await setUpSettlement(async () => ({}));
  const before = await scrapeOf(relay);
  const { secret, orderNo } = await session();
  expect((await byCard(secret)).body).toEqual({ status: 'unknown' });
  books.write(orderNo, 'T1', '3000', { amount: '130.00' });
  const after = await scrapeWith(relay, /^turnpike_needs_attention 1$/m);
  expectFiring('NeedsAttention', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 5 },
  ]);
});

it('OutcomeUnknownTooLong fires for an outcome that nothing settles', async () => {
  const gateway = await scriptedGateway(drop);
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  const before = await scrapeOf(relay);
  await relay.post('/v1/payments', apiKey, { ...order(), ...card });
  relay.pass(600_000);
  const after = await scrapeWith(relay, /^turnpike_unknown_oldest_seconds [1-9]/m);
  expectFiring('OutcomeUnknownTooLong', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 5 },
  ]);
});

it('OperationUnknown fires for a capture without an answer', async () => {
  const gateway = await scriptedGateway(drop);
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  const before = await scrapeOf(relay);
  const { body } = await relay.post('/v1/capture', apiKey, operationCases.capture.least);
  expect(body).toMatchObject({ code: 'outcome_unknown' });
  const after = await scrapeWith(relay, /^turnpike_unknown_operations 1$/m);
  expectFiring('OperationUnknown', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 20 },
  ]);
});
