import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { until } from '../support/time/until.ts';
import type { Clients } from './harness/clients.ts';
import type { Rehearsal } from './harness/rehearsal.ts';
import { FIRST_KEY, FIRST_WEBHOOK_SECRET, hashOf, SIGNING_SECRET, type Stage, webhookSecret } from './harness/stage.ts';

const SECOND_KEY = 'second-key-of-a-rehearsal';
const SECOND_WEBHOOK_SECRET = webhookSecret('second');
const SECOND_SIGNING_SECRET = 'another signing secret of the rehearsals';

/** The time for the relays to connect to PostgreSQL again, and for the clients to use these connections. */
const CONNECTIONS_MS = 2000;

type AccountSetting = keyof Stage['account'] | 'previous_signing_secrets';

/** Changes every secret in the order of docs/monitoring.md, without a restart. Only the signing secret needs a pause of payments. */
export const rotation: Rehearsal = {
  breaks:
    'API key, webhook secret and password of the database by SIGHUP, then the signing secret while payments are paused',
  stage: { store: 'postgres', relays: 2 },
  noFailures: true,
  async run(stage, clients, say) {
    say('the API key');
    const first = { name: 'first', sha256: hashOf(FIRST_KEY), scopes: ['*'] };
    const second = { name: 'second', sha256: hashOf(SECOND_KEY), scopes: ['*'] };
    await reload(stage, { api_keys: [first, second] });
    clients.use(SECOND_KEY);
    (await clients.pause())();
    await reload(stage, { api_keys: [second] });

    say('the webhook secret');
    const { url } = stage.account.webhook;
    await reload(stage, { webhook: { url, secrets: [SECOND_WEBHOOK_SECRET, FIRST_WEBHOOK_SECRET] } });
    // Webhooks that are being sent have only the first signature.
    stage.shop.accept(SECOND_WEBHOOK_SECRET, FIRST_WEBHOOK_SECRET);
    await reload(stage, { webhook: { url, secrets: [SECOND_WEBHOOK_SECRET] } });
    stage.shop.accept(SECOND_WEBHOOK_SECRET);

    say('the password of the database');
    const connections = await changePassword(stage, clients);

    say('the signing secret');
    const seconds = await changeSigningSecret(stage, clients);
    const refused = stage.shop.refused();
    const notes = [
      `new connections to PostgreSQL with the new password: ${connections}`,
      `payments stopped for the signing secret for ${seconds.toFixed(1)} s`,
    ];
    const hasFailed = stage.relays.some(({ log }) =>
      /"code":"28P01","msg":"store lost"/.test(readFileSync(log, 'utf8')),
    );
    return {
      notes,
      wrong: [
        ...(refused > 0 ? [`${refused} webhooks had no signature that the shop accepts`] : []),
        ...(connections === 0 ? ['no connection used the new password'] : []),
        ...(hasFailed ? ['PostgreSQL refused the password of a relay'] : []),
      ],
    };
  },
};

/** Changes the account, and waits until every relay has loaded it with `settings`. */
async function reload(stage: Stage, change: Partial<Record<AccountSetting, unknown>>, settings = {}): Promise<void> {
  Object.assign(stage.account, change);
  for (const relay of stage.relays) {
    const before = reloads(relay.log);
    relay.configure({ ...stage.settings, ...settings, accounts: [stage.account] });
    relay.signal('SIGHUP');
    await until('the relay has reloaded', () => reloads(relay.log) > before);
  }
}

function reloads(log: string): number {
  return readFileSync(log, 'utf8').split('"configuration reloaded"').length - 1;
}

/** @returns the number of connections that were opened with the new password */
async function changePassword(stage: Stage, clients: Clients): Promise<number> {
  const { postgres, store, storeFile } = stage;
  if (!postgres) throw new Error('there is no PostgreSQL');
  const address = new URL(store);
  address.password = randomBytes(12).toString('hex');
  writeFileSync(storeFile, address.href);
  await reload(stage, {});
  await postgres.query(store, `ALTER ROLE ${address.username} PASSWORD '${address.password}'`);
  // Ends all connections, because open ones do not need the new password.
  const resume = await clients.pause();
  const ofRelays = `FROM pg_stat_activity WHERE application_name LIKE 'turnpike%'`;
  await postgres.query(address.href, `SELECT pg_terminate_backend(pid, 5000) ${ofRelays}`);
  await setTimeout(CONNECTIONS_MS);
  resume();
  await setTimeout(CONNECTIONS_MS);
  const [row] = await postgres.query(address.href, `SELECT count(*)::int AS opened ${ofRelays}`);
  return Number(row?.opened);
}

/** @returns the seconds without payments */
async function changeSigningSecret(stage: Stage, clients: Clients): Promise<number> {
  const paused = { paused: true };
  const resume = await clients.pause();
  const start = performance.now();
  // Every relay must accept both secrets before the first one uses the new one.
  await reload(stage, { previous_signing_secrets: [SECOND_SIGNING_SECRET] }, paused);
  for (const { url } of stage.relays) {
    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    await until('every outcome is known', async () => /^turnpike_unknown_sessions 0$/m.test(await metrics()));
  }
  stage.gateway.signWith(SECOND_SIGNING_SECRET);
  const changed = { signing_secret: SECOND_SIGNING_SECRET, previous_signing_secrets: [SIGNING_SECRET] };
  await reload(stage, changed, paused);
  await reload(stage, {});
  resume();
  return (performance.now() - start) / 1000;
}
