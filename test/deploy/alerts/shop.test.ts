import { expect, it } from 'vitest';
import { approving, declining, type Script, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { giveUp, refuse } from '../../support/relays/given-up.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { expectFiring, scrapeOf, scrapeWith } from './firing.ts';

/** A relay and its gateway, and a receiver that answers 410. */
async function setUp(script: Script = approving, config: object = {}) {
  const gateway = await scriptedGateway(script);
  const receiver = await startReceiver((_webhook, res) => void refuse(res));
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { ...withReceiver(receiver.url), ...config } });
  const pay = async (times: number): Promise<unknown[]> => {
    const statuses: unknown[] = [];
    for (let time = 0; time < times; time++) {
      const { body } = await relay.post('/v1/payments', apiKey, { ...order(), ...card });
      statuses.push(body.code ?? body.status);
    }
    return statuses;
  };
  return { relay, pay, before: await scrapeOf(relay) };
}

it('WebhooksLate and WebhooksFailed fire for a webhook that is refused', async () => {
  const { relay, pay, before } = await setUp();
  await pay(1);
  relay.pass(1_800_000);
  const late = await scrapeWith(relay, /^turnpike_outbox_oldest_seconds 18\d\d/m);
  expectFiring('WebhooksLate', [
    { scrape: before, minutes: 10 },
    { scrape: late, minutes: 10 },
  ]);
  await giveUp(relay.context.store, 1);
  const after = await scrapeWith(relay, /^turnpike_failed_events [1-9]/m);
  expectFiring('WebhooksFailed', [
    { scrape: before, minutes: 10 },
    { scrape: late, minutes: 30 },
    { scrape: after, minutes: 5 },
  ]);
});

it('ApprovalRateDropped fires for payments that are declined', async () => {
  let isDeclining = false;
  const { relay, pay, before } = await setUp((...message) => (isDeclining ? declining : approving)(...message));
  await pay(3);
  const usual = await scrapeOf(relay);
  isDeclining = true;
  await pay(3);
  expectFiring('ApprovalRateDropped', [
    { scrape: before, minutes: 5 },
    { scrape: usual, minutes: 120 },
    { scrape: await scrapeOf(relay), minutes: 60 },
  ]);
});

it('CardTesting fires for one card in many attempts', async () => {
  const { relay, pay, before } = await setUp(declining, { limits: { attempts_per_card_per_hour: 1 } });
  expect(new Set((await pay(5)).slice(1))).toEqual(new Set(['too_many_attempts']));
  expectFiring('CardTesting', [
    { scrape: before, minutes: 10 },
    { scrape: await scrapeOf(relay), minutes: 12 },
  ]);
});

it('NoPayments fires at a time when there were many', async () => {
  const { relay, pay, before } = await setUp();
  await pay(1);
  const usual = await scrapeOf(relay);
  const none = await scrapeOf(relay);
  const days = (quietMinutes: number) =>
    [
      { scrape: before, minutes: 10 },
      { scrape: usual, minutes: 1500 },
      { scrape: none, minutes: quietMinutes },
    ] as const;
  // One payment in five minutes: ten are made in 50 minutes.
  expectFiring('NoPayments', days(90), 5);
  expect(() => expectFiring('NoPayments', days(45), 5)).toThrow('NoPayments');
});
