import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { alertRules } from '../../deploy/alerts/alert-rules.ts';
import { debianPrograms } from '../../deploy/debian-postgres.ts';
import { type PostgresPair, startPostgresPair } from '../../support/postgres-pair.ts';
import { until } from '../../support/time/until.ts';
import { type Monitoring, startMonitoring } from './monitoring.ts';

/** The maximum time until a scrape and the alerts that follow from it, on a busy machine. */
const SOON_MS = 300_000;

/** An exporter's metric with the labels that a rule selects. */
const SELECTOR = /\b(?:node|pg|probe)_[a-z0-9_]+(?:\{[^}]*\})?/g;

/**
 * The rules without their waiting times. Only root could fill a disk or change the clock, so the rules about these get limits that
 * every machine exceeds.
 */
function withoutWaiting(rules: string): string {
  const changed = rules
    .replaceAll(/^ {8}for: \w+$/gm, '        for: 0s')
    .replaceAll(/< 0\.(?:05|15)$/gm, '< 2')
    .replace('abs(node_timex_offset_seconds) > 0.5', 'abs(node_timex_offset_seconds) >= 0');
  expect(changed.match(/< 2$/gm)).toHaveLength(3);
  expect(changed).toContain('>= 0');
  return changed;
}

let pair: PostgresPair;
let monitoring: Monitoring;
beforeAll(async () => {
  pair = await startPostgresPair({ programs: debianPrograms() });
  const { primary, standby } = pair;
  const own = primary.addressOf('postgres');
  // As in docs/deploy.md.
  await primary.query(own, "CREATE USER prometheus PASSWORD 'of-tests'");
  await primary.query(own, 'GRANT pg_monitor TO prometheus');
  await primary.query(own, 'ALTER SYSTEM SET archive_mode = on');
  await primary.query(own, "ALTER SYSTEM SET archive_command = 'false'");
  await primary.stop();
  await primary.start();
  const sources = [primary, standby].map(
    (server) =>
      `host=127.0.0.1 port=${new URL(server.addressOf('any')).port} user=prometheus password=of-tests dbname=postgres sslmode=disable`,
  );
  monitoring = await startMonitoring(sources, withoutWaiting);
});
afterAll(async () => {
  await monitoring?.close();
  await pair?.close();
});

const fired = new Set<string>();

/** Waits until these alerts fire. Returns the summaries of all alerts that fire. */
async function firing(...names: string[]): Promise<string[]> {
  let missing: string[] = names;
  let summaries: string[] = [];
  const look = async (): Promise<boolean> => {
    const all = await monitoring.firing().catch(() => []);
    missing = names.filter((name) => !all.some((one) => one.name === name));
    summaries = all.map(({ summary }) => summary);
    return missing.length === 0;
  };
  await until('the alerts fire', look, SOON_MS).catch((error: unknown) => {
    throw new Error(`not firing: ${missing.join(', ')}`, { cause: error });
  });
  for (const name of names) fired.add(name);
  return summaries;
}

it('export every metric and label that the rules read', async () => {
  const selectors = new Set(alertRules.flatMap(({ text }) => text.match(SELECTOR) ?? []));
  expect(selectors.size).toBeGreaterThan(12);
  for (const selector of selectors) {
    await until(selector, async () => (await monitoring.seriesOf(selector).catch(() => 0)) > 0, SOON_MS);
  }
});

it('let the alerts of a machine fire', async () => {
  const summaries = await firing(
    ...['BackupIsOld', 'CertificateExpires', 'CertificateNotRenewed', 'CheckoutUnreachable', 'ClockWrong'],
    ...['DiskAlmostFull', 'DiskFills', 'ExporterDown'],
  );
  expect(summaries).toContainEqual(expect.stringMatching(/^\/\S* of 127\.0\.0\.1:\d+ is almost full$/));
  expect(summaries).toContainEqual(
    expect.stringMatching(/^The certificate of https:\/\/127\.0\.0\.1:\d+\/embed\.json expires within three days$/),
  );
});

it('let the alerts of PostgreSQL fire', async () => {
  const { primary, standby } = pair;
  const own = primary.addressOf('postgres');
  const clients = Array.from({ length: 50 }, () => new Client({ connectionString: own }));
  onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))));
  for (const client of clients) await client.connect();
  standby.pause();
  // More than 64 MB of WAL, which is neither archived nor written by the standby.
  const filled = 'CREATE TABLE filler AS SELECT n, md5(n::text) FROM generate_series(1, 1500000) AS n';
  await primary.query(own, `SET synchronous_commit = local; ${filled}`);
  const summaries = await firing('PostgresConnectionsUsedUp', 'StandbyBehind', 'WalNotArchived');
  expect(summaries).toContainEqual(expect.stringMatching(/^The standby \S+ \(127\.0\.0\.1\) is \S+MiB behind$/));
  standby.resume();
  await standby.stop();
  await firing('PostgresDown', 'StandbyGone');
});

it('have let every rule fire that does not use a relay’s metrics', () => {
  const others = alertRules.filter(({ text }) => text.match(SELECTOR) && !/\bturnpike_(?!backup)/.test(text));
  expect(others.length).toBeGreaterThan(9);
  expect([...fired]).toEqual(expect.arrayContaining(others.map(({ name }) => name)));
});
