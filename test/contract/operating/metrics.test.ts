import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { createMetrics } from '../../../relay/base/metrics.ts';
import { metricLabels } from '../../../relay/operating/metric-labels.ts';
import { allRoutes } from '../../../relay/routes/all.ts';
import { approving, type Script, scriptedGateway, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, webhookSecret, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, order, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const silentAfterPaying: Script = (received, res) => {
  if (received.path === '/v1/authorise') res.destroy();
  else sendRecords(res, []);
};

async function setUp(script: Script = approving, options: { config?: object; now?: () => Date } = {}) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    config: { ...options.config },
    ...(options.now ? { now: options.now } : {}),
  });
  return { gateway, relay };
}

/** Every series of a scrape with its value, such as `turnpike_webhooks_total{result="failed"}`. */
async function scrape(relay: TestRelay): Promise<Map<string, number>> {
  const answer = await relay.get('/metrics');
  expect(answer.status).toBe(200);
  const lines = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

async function payOnce(relay: TestRelay, body: object = {}) {
  const session = await relay.session();
  return { ...session, answer: await relay.pay(session.secret, { ...card, ...body }) };
}

const approvedPayments = 'turnpike_payments_total{operation="direct_payment",outcome="approved",reason=""}';

describe('GET /metrics', () => {
  it('has every counter at zero initially, so alerts see increases', async () => {
    const { relay } = await setUp();
    const series = await scrape(relay);
    for (const name of [
      approvedPayments,
      'turnpike_payments_total{operation="apm_payment",outcome="unknown",reason="timeout"}',
      'turnpike_gateway_calls_total{operation="query",result="timeout"}',
      'turnpike_limited_total{limit="card"}',
      'turnpike_paid_twice_total',
      'turnpike_shared_transactions_total',
      'turnpike_orders_reconciled_total{result="failed"}',
      'turnpike_gave_up_total{what="session"}',
      'turnpike_notifications_total{kind="payout"}',
      'turnpike_webhooks_total{result="failed"}',
      'turnpike_alerts_total{result="failed"}',
      'turnpike_request_log_dropped_total',
      'turnpike_account_payments_total{account="other",outcome="declined"}',
      'turnpike_account_webhooks_total{account="demo",result="failed"}',
      'turnpike_retention_oldest_seconds{kind="sessions"}',
    ]) {
      expect(series.get(name), name).toBe(0);
    }
  });

  it('counts payments by the gateway’s answer, and measures its calls', async () => {
    const { relay } = await setUp();
    const started = performance.now();
    await payOnce(relay);
    await payOnce(relay);
    const all = (performance.now() - started) / 1000;
    const series = await scrape(relay);
    expect(series.get(approvedPayments)).toBe(2);
    expect(series.get('turnpike_gateway_calls_total{operation="direct_payment",result="answer"}')).toBe(2);
    expect(series.get('turnpike_gateway_seconds_count{operation="direct_payment",result="answer"}')).toBe(2);
    const seconds = series.get('turnpike_gateway_seconds_sum{operation="direct_payment",result="answer"}') ?? 0;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(all);
  });

  it('measures requests by method, route pattern and status class', async () => {
    const { relay } = await setUp();
    await payOnce(relay);
    await relay.get('/v1/sessions/cs_no_such_session');
    await relay.get('/no/such/address/4111111111111111');
    await fetch(`${relay.url}/healthz`, { method: 'PROPFIND' });
    const count = (method: string, route: string, status: string): string =>
      `turnpike_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;
    const series = await scrape(relay);
    expect(series.get(count('POST', '/checkout/api/pay', '2xx'))).toBe(1);
    expect(series.get(count('POST', '/v1/sessions', '2xx'))).toBe(1);
    expect(series.get(count('GET', '/v1/sessions/:id', '4xx'))).toBe(1);
    expect(series.get(count('GET', 'none', '4xx'))).toBe(1);
    expect(series.get(count('other', '/healthz', '4xx'))).toBe(1);
  });

  it('counts an account’s payments, and shows the running version', async () => {
    const { relay } = await setUp();
    await payOnce(relay);
    const series = await scrape(relay);
    expect(series.get('turnpike_account_payments_total{account="demo",outcome="approved"}')).toBe(1);
    expect(series.get('turnpike_account_payments_total{account="other",outcome="approved"}')).toBe(0);
    expect(series.get(`turnpike_build_info{version="${manifest.version}",node="${process.version}"}`)).toBe(1);
  });

  it('gives a hundred accounts their own series, and others one', async () => {
    const accounts = Array.from({ length: 102 }, (_, at) => `shop-${at}`);
    const { registry, payment, webhook } = createMetrics(metricLabels, accounts);
    for (const account of accounts) payment(account, 'direct_payment', 'approved');
    webhook('shop-101', 'failed');
    const text = await registry.metrics();
    const of = (account: string, outcome: string, count: number): string =>
      `turnpike_account_payments_total{account="${account}",outcome="${outcome}"} ${count}\n`;
    for (const line of [of('shop-99', 'approved', 1), of('other', 'approved', 2), of('other', 'declined', 0)]) {
      expect(text).toContain(line);
    }
    expect(text).toContain('turnpike_account_webhooks_total{account="other",result="failed"} 1\n');
    expect(text).not.toContain('shop-100');
  });

  it('shows why outcomes are unknown, how many, and since when', async () => {
    let ahead = 0;
    const { relay } = await setUp(silentAfterPaying, { now: () => new Date(Date.now() + ahead) });
    expect((await scrape(relay)).get('turnpike_unknown_oldest_seconds')).toBe(0);
    await payOnce(relay);
    ahead = 600_000;
    await until(
      'the figures are asked for again',
      async () => (await scrape(relay)).get('turnpike_unknown_sessions') === 1,
    );
    const series = await scrape(relay);
    expect(series.get('turnpike_unknown_oldest_seconds')).toBeGreaterThan(500);
    expect(series.get('turnpike_unknown_oldest_seconds')).toBeLessThan(700);
    expect(series.get('turnpike_needs_attention')).toBe(0);
    const unknown = 'turnpike_payments_total{operation="direct_payment",outcome="unknown",reason="connection_lost"}';
    expect(series.get(unknown)).toBe(1);
    expect(series.get('turnpike_gateway_calls_total{operation="direct_payment",result="connection_lost"}')).toBe(1);
  });

  it('counts orders that were reconciled on request', async () => {
    let isBack = false;
    const { relay } = await setUp((received, res) => {
      if (!isBack || received.path === '/v1/authorise') res.destroy();
      else sendRecords(res, [paidRecord]);
    });
    const asked = order();
    const paidRecord = { ...asked, payment_status: '3000', transaction_id: 'T-1' };
    await relay.post('/v1/payments', apiKey, { ...asked, ...card });
    const reconcile = () => relay.post(`/v1/orders/${asked.order_no}/reconcile`, apiKey, {});
    const counted = async (result: string) =>
      (await scrape(relay)).get(`turnpike_orders_reconciled_total{result="${result}"}`);
    await reconcile();
    expect(await counted('failed')).toBe(1);
    isBack = true;
    await reconcile();
    await reconcile();
    expect([await counted('changed'), await counted('unchanged')]).toEqual([1, 1]);
  });

  it('counts attempts that a limit refused', async () => {
    const limits = { attempts_per_card_per_hour: 1 };
    const { relay } = await setUp(approving, { config: { limits } });
    await payOnce(relay);
    expect((await payOnce(relay)).answer.status).toBe(429);
    expect((await scrape(relay)).get('turnpike_limited_total{limit="card"}')).toBe(1);
  });

  it('counts delivered and waiting webhooks', async () => {
    let status = 200;
    const receiver = await startReceiver((_webhook, res) => void res.writeHead(status).end());
    const { relay } = await setUp(approving, { config: withReceiver(receiver.url) });
    await payOnce(relay);
    await until(
      'it is delivered',
      async () => (await scrape(relay)).get('turnpike_webhooks_total{result="delivered"}') === 1,
    );
    status = 500;
    await payOnce(relay);
    await until('one waits', async () => (await scrape(relay)).get('turnpike_outbox_depth') === 1);
    const refused = 'turnpike_webhooks_total{result="refused"}';
    await until('it is refused', async () => (await scrape(relay)).get(refused) === 1);
  });

  it('omits the store’s figures while the store fails', async () => {
    const { relay } = await setUp();
    expect((await scrape(relay)).get('turnpike_store_up')).toBe(1);
    await relay.context.store.close();
    await until('the failure is reported', async () => (await scrape(relay)).get('turnpike_store_up') === 0);
    const series = await scrape(relay);
    expect(series.has(approvedPayments)).toBe(true);
    for (const name of ['turnpike_unknown_sessions', 'turnpike_outbox_depth', 'turnpike_resolver_lag_seconds']) {
      expect(series.has(name), name).toBe(false);
    }
  });

  it('answers in time while the store hangs, as does /readyz', async () => {
    const { relay } = await setUp();
    let asked = 0;
    const hang = (): Promise<never> => {
      asked += 1;
      return new Promise(() => undefined);
    };
    relay.context.store.check = hang;
    relay.context.store.stats.figures = hang;
    const [scraped, ready] = await Promise.all([scrape(relay), relay.get('/readyz'), relay.get('/readyz')]);
    expect(scraped.get('turnpike_store_up')).toBe(0);
    expect(ready.status).toBe(503);
    // One for each of the two routes, and the figures.
    expect(asked).toBe(3);
    expect((await relay.get('/healthz')).status).toBe(200);
  });

  it('reads the store once for simultaneous scrapes', async () => {
    const { relay } = await setUp();
    const { figures } = relay.context.store.stats;
    let asked = 0;
    relay.context.store.stats.figures = (...given) => {
      asked += 1;
      return figures(...given);
    };
    // The answer is kept for a second; a busy machine may need that long for twenty requests.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
    await Promise.all(Array.from({ length: 20 }, () => scrape(relay)));
    expect(asked).toBe(1);
  });

  it('contains no secret, no card and no shopper data', async () => {
    const receiver = await startReceiver();
    const { relay } = await setUp(approving, { config: withReceiver(receiver.url) });
    const { id, secret, orderNo } = await payOnce(relay, { first_name: 'Adalovelace' });
    await relay.post('/v1/payments', apiKey, { ...order(), ...card, [card.card]: card.card });
    const { text } = await relay.get('/metrics');
    for (const hidden of [card.card, card.security_code, 'Adalovelace', id, secret, orderNo, apiKey, webhookSecret]) {
      // A value may contain the three digits of a security code; a label must not.
      expect(text.replace(/ [\d.e+-]+$/gm, '').includes(hidden), hidden).toBe(false);
    }
    expect(text).not.toContain(relay.context.config.accounts[0]?.signingSecret);
  });
});

describe('the page about monitoring', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');
  const names = (text: string): Set<string> => new Set(text.match(/\b(?:turnpike|process|nodejs)_[a-z_0-9]+/g));

  it('names all of our metrics, and no other', async () => {
    const { relay } = await setUp();
    await payOnce(relay);
    const { text } = await relay.get('/metrics');
    const real = new Set([...text.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name ?? ''));
    const documented = names(page);
    expect(documented.size).toBeGreaterThan(15);
    expect([...documented].filter((name) => !real.has(name) && !real.has(`${name}_count`))).toEqual([]);
    const ours = [...text.matchAll(/^# TYPE (turnpike_\w+) /gm)].map(([, name]) => name ?? '');
    expect(ours.filter((name) => !page.includes(`| \`${name}\``))).toEqual([]);
  });

  it('lets a proxy expose only routes of shoppers, shops and gateway', () => {
    const [, sentence = ''] = /a proxy in front of the relay passes ([\s\S]*?`\/v1`)\./.exec(page) ?? [];
    const passed = [...sentence.matchAll(/`(\/\w+)/g)].map(([, start]) => start ?? '');
    const isPassed = ({ path }: { path: string }): boolean => passed.some((start) => path.startsWith(start));
    const [ours, others] = [true, false].map((isOurs) => allRoutes.filter(({ tag }) => (tag === 'Relay') === isOurs));
    expect(others?.filter((route) => !isPassed(route)).map(({ path }) => path)).toEqual([]);
    expect(ours?.filter(isPassed).map(({ path }) => path)).toEqual([]);
  });

  it('explains every reason for an unknown outcome', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const explained = rows.flatMap((row) => (row.split('|')[1] ?? '').match(/\w+/g) ?? []);
    expect(metricLabels.unknownReasons.filter((reason) => !explained.includes(reason))).toEqual([]);
  });

  it('describes every setting that it names', () => {
    for (const name of ['shutdown_ms', 'retention_days']) expect(page).toContain(`\`${name}\``);
  });
});
