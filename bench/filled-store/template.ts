import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../relay/base/log.ts';
import { DEFAULT_ENDPOINT } from '../../relay/config/endpoints.ts';
import { checkConfig } from '../../relay/config/load.ts';
import { loadAssets } from '../../relay/pages/assets.ts';
import { startRelay } from '../../relay/server.ts';
import { openStore } from '../../relay/store/open.ts';
import type { Store } from '../../relay/store/store.ts';
import { createGateway } from '../../sandbox/gateway/gateway.ts';
import { serve } from '../../test/support/http/http-server.ts';
import { until } from '../../test/support/time/until.ts';
import { signIn, team } from '../harness/person.ts';
import { benchAccount, relaySettings } from '../harness/settings.ts';
import { makeUsual, makeWaiting } from './sample-orders.ts';

/** Tables that are not copied: temporary or derived data. */
const NOT_COPIED = [
  'migrations',
  'idempotency_keys',
  'counted',
  'sign_ins',
  'unlisted',
  'pulse',
  'sqlite_sequence',
  'stats_span',
  'stats_tallies',
  'stats_changes',
];

export type Value = string | number | boolean | null;
/** A row of a table of the store. */
export type StoredRow = Readonly<Record<string, Value>>;
/** The rows of a store, by table. */
export type StoredRows = ReadonlyMap<string, readonly StoredRow[]>;

/** The rows of a hundred completed orders, the further rows of the orders that wait, and when the first was made. */
export type Template = { usual: StoredRows; waiting: StoredRows; since: number };

/** Reads the tables of a store directly from its database. */
export type StoreReader = { tables(): Promise<string[]>; rows(table: string): Promise<StoredRow[]> };

/** Makes orders of every kind at a real relay with an empty store, and gives their rows. */
export async function makeTemplate(store: string, reader: StoreReader): Promise<Template> {
  const { merchant_id, account_id, signing_secret } = benchAccount;
  const merchants = [{ merchant_id, account_id, signing_secret }];
  const { app } = createGateway({ merchants, publicUrl: () => gateway.url });
  /** The statuses with which the shop answers webhooks, in turn. */
  let answers: readonly number[] = [200];
  let webhooks = 0;
  const listener = createServer((req, res) => {
    if (req.url !== '/webhooks') return void app(req, res);
    req.resume();
    webhooks += 1;
    // The relay does not repeat a refused webhook while the template is made.
    res.writeHead(answers[webhooks % answers.length] ?? 200, { 'retry-after': '86400' }).end();
  });
  const gateway = await serve((req, res) => void listener.emit('request', req, res));
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-console-bench-'));
  const settings = relaySettings({ store, gatewayPort: gateway.port, webhooks: 'delivered', people: team });
  // An outcome that is unknown after a second waits for a person.
  const config = checkConfig({ ...settings, resolve: { give_up_ms: 1000 } }, {});
  const relay = await startRelay({
    config,
    log: createLog('silent'),
    assets: await loadAssets(join(import.meta.dirname, '../../dist')),
    store: await openStore(store),
  });
  const settled = async (): Promise<void> => {
    await until('webhooks are tried and orders are listed', async () => {
      const waiting = await relay.context.store.outbox.list({
        account: benchAccount.id,
        status: 'pending',
        limit: 100,
      });
      const tried = new Set(waiting.flatMap(({ subject, delivery }) => (delivery.tries > 0 ? [subject] : [])));
      // Webhooks wait behind a refused one of the same subject.
      return waiting.every(({ subject }) => tried.has(subject)) && (await reader.rows('unlisted')).length === 0;
    });
  };
  try {
    const since = Date.now();
    const person = await signIn(relay.url, team[0]?.name ?? '');
    await makeUsual(relay.url, person);
    await settled();
    const usual = await readAll(reader);
    answers = [200, 410, 410, 500];
    await makeWaiting(relay.url);
    await settled();
    await giveUp(relay.context.store);
    await until('some orders wait for a person', async () => {
      const search = { account: benchAccount.id, groups: [['attention']], limit: 1 } as const;
      return (await relay.context.store.listing.search(search)).orders.length > 0;
    });
    const all = await readAll(reader);
    return { usual, waiting: without(all, usual), since };
  } finally {
    await relay.stop();
    await gateway.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All rows of the store, except those of tables that are not copied. */
async function readAll({ tables, rows }: StoreReader): Promise<StoredRows> {
  const found = new Map<string, StoredRow[]>();
  for (const table of await tables()) if (!NOT_COPIED.includes(table)) found.set(table, await rows(table));
  return found;
}

/** Marks webhooks that the shop answered with 410 as failed, as the relay does after a day. */
async function giveUp(store: Store): Promise<void> {
  const failed_at = new Date().toISOString();
  for (const event of await store.outbox.list({ account: benchAccount.id, status: 'pending', limit: 100 })) {
    const { delivery } = event;
    if (delivery.status !== 'pending' || delivery.fault !== 'http_410') continue;
    const key = { ...event, endpoint: DEFAULT_ENDPOINT };
    await store.outbox.writeDelivery(key, { status: 'failed', tries: delivery.tries, failed_at, reason: 'http_410' });
  }
}

/** The rows that are not in `others`, and that name no order, session or operation of them. */
function without(all: StoredRows, others: StoredRows): StoredRows {
  const names = new Set([...others.values()].flat().flatMap(namesIn));
  return new Map(
    [...all].map(([table, rows]) => {
      const known = new Set((others.get(table) ?? []).map((row) => JSON.stringify(row)));
      return [
        table,
        rows.filter((row) => !known.has(JSON.stringify(row)) && !namesIn(row).some((one) => names.has(one))),
      ];
    }),
  );
}

/** The order numbers, sessions and operations in a row. */
function namesIn(row: StoredRow): string[] {
  return JSON.stringify(row).match(/(?:cs|op)_[\w-]{32}|C\d{8}/g) ?? [];
}
