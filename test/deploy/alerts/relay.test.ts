import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, it, onTestFinished } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { spawnRelay } from '../../support/relays/relay-process.ts';
import { startPostgres, type TestPostgres } from '../../support/stores/postgres.ts';
import { until } from '../../support/time/until.ts';
import { startSandbox } from '../sandbox.ts';
import { expectFiring, scrapeOf, scrapeWith } from './firing.ts';

const gatewayUrl = 'http://127.0.0.1:9';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.close());

it('StoreDown fires for a store that is closed', async () => {
  const relay = await startTestRelay({ gatewayUrl });
  const before = await scrapeOf(relay);
  await relay.context.store.close();
  const after = await scrapeWith(relay, /^turnpike_store_up 0$/m);
  expectFiring('StoreDown', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 3 },
  ]);
});

it('ConnectionsUsedUp fires where no connection is free', async () => {
  const relay = spawnRelay({ gatewayUrl, config: { server: { max_connections: 5 } } });
  const url = await relay.listening();
  const before = await scrapeOf({ url });
  const [first, ...others] = Array.from({ length: 20 }, () => idle(url));
  await until('it is lost', () => relay.lines('connections refused: server.max_connections reached').length > 0);
  for (const socket of others) socket.destroy();
  first?.end('GET /metrics HTTP/1.0\r\n\r\n');
  const after = first ? await text(first) : '';
  expectFiring('ConnectionsUsedUp', [
    { scrape: before, minutes: 10 },
    { scrape: after.slice(after.indexOf('\r\n\r\n')), minutes: 3 },
  ]);
});

function idle(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

it('Paused fires for a relay that is paused', async () => {
  const [running, paused] = await Promise.all([
    startTestRelay({ gatewayUrl }),
    startTestRelay({ gatewayUrl, config: { paused: true } }),
  ]);
  expectFiring('Paused', [
    { scrape: await scrapeOf(running), minutes: 10 },
    { scrape: await scrapeOf(paused), minutes: 130 },
  ]);
});

it('ClockWrong fires for a clock ahead of that of PostgreSQL', async () => {
  let ahead = 0;
  const store = await postgres.database();
  const now = () => new Date(Date.now() + ahead);
  const relay = await startTestRelay({ gatewayUrl, config: { store }, now, monotonic: () => performance.now() });
  const before = await scrapeWith(relay, /^turnpike_store_clock_ahead_seconds /m);
  ahead = 3_600_000;
  const after = await scrapeWith(relay, /^turnpike_lost\{part="clock",code="CLOCK_SKEW"\} 1$/m);
  expectFiring('ClockWrong', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 10 },
  ]);
});

it('StoreSlow fires for a write that takes longer than a second', async () => {
  let clock = Date.now();
  const relay = await startTestRelay({ gatewayUrl, now: () => new Date(clock) });
  const before = await scrapeOf(relay);
  const { check } = relay.context.store;
  relay.context.store.check = async () => {
    await check();
    clock += 1001;
  };
  const after = await scrapeWith(relay, /^turnpike_lost\{part="disk",code="SLOW_COMMIT"\} 1$/m);
  expectFiring('StoreSlow', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 10 },
  ]);
});

it('RetentionBehind fires where old rows cannot be deleted', async () => {
  const { url: sandbox } = await startSandbox();
  const relay = await startTestRelay({ gatewayUrl: sandbox, config: { retention_days: 1 } });
  relay.context.store.retention.purge = () => Promise.reject(new StoreError('down'));
  await relay.post('/v1/payments', apiKey, { ...order(), ...card });
  const before = await scrapeOf(relay);
  relay.pass(5 * 86_400_000);
  const after = await scrapeWith(relay, /^turnpike_retention_oldest_seconds\{kind="\w+"\} 3\d{5}/m);
  expectFiring('RetentionBehind', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 15 },
  ]);
});

it('ConfigNotReloaded fires for a configuration that is refused', async () => {
  const relay = spawnRelay({ gatewayUrl });
  const url = await relay.listening();
  const before = await scrapeOf({ url });
  relay.configure({ accounts: [] });
  relay.child.kill('SIGHUP');
  const after = await scrapeWith({ url }, /^turnpike_config_reload_successful 0$/m);
  expectFiring('ConfigNotReloaded', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 10 },
  ]);
});

it('RelayBusy fires for an event loop that is blocked', async () => {
  const relay = await startTestRelay({ gatewayUrl });
  const lag = (scrape: string): number => Number(/^nodejs_eventloop_lag_p99_seconds (.+)$/m.exec(scrape)?.[1]);
  let [before, after] = ['', ''];
  // Each scrape begins the measurement anew.
  await until('it is quiet', async () => {
    before = await scrapeOf(relay);
    return lag(before) < 0.2;
  });
  await until('it is blocked', async () => {
    const scrape = scrapeOf(relay);
    const end = performance.now() + 1000;
    while (performance.now() < end);
    after = await scrape;
    return lag(after) > 0.2;
  });
  expectFiring('RelayBusy', [
    { scrape: before, minutes: 10 },
    { scrape: after, minutes: 10 },
  ]);
});
