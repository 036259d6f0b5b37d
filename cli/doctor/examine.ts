import { randomBytes } from 'node:crypto';
import type { Client, OrderWithTimeline } from '../../client/index.ts';
import { ConfigError } from '../../relay/base/errors.ts';
import type { Account, Config } from '../../relay/config/load.ts';
import { isLoopbackHost } from '../../relay/gateway/issuer/addresses.ts';
import { CliError, EXIT, failureOf, UsageError } from '../base/errors.ts';
import { type Finding, skipped } from '../base/finding.ts';
import type { Io } from '../base/io.ts';
import { accessOf, type GlobalOptions } from '../base/settings.ts';
import { readConfig } from '../settings/read-config.ts';
import { diagnose } from './diagnose.ts';
import { gatewayTries, type Tries } from './gateway-tries.ts';
import { reach, reachFindings } from './reach.ts';
import { take } from './reaction.ts';
import { type KnownOrder, offsetFinding, recordOffsetsIn } from './time-zone.ts';

/** What is to be examined, and how far that may go. */
export type Examined = GlobalOptions & {
  file: string;
  account?: string | undefined;
  probe: boolean;
  orders?: string[] | undefined;
  client: () => Client;
};

/** What was found, and how many messages the gateway got for it. */
export type Examination = { findings: Finding[]; sent: number };

/** Makes all checks. Throws CliError where the settings cannot be used at all. */
export async function examine(io: Io, asked: Examined): Promise<Examination> {
  const config = await readConfig(asked.file, io.env);
  const account = accountOf(config, asked.account);
  const { base_url, profile } = config.gateway;
  const relayUrl = urlOf(io, asked);
  const reached = await reach(base_url);
  const connection = reachFindings(base_url, reached, io.now());
  const offsets =
    relayUrl === undefined
      ? skipped(
          'dates that the relay saw',
          'no relay is named',
          'Give --url: its metrics tell of a wrong gateway_time_zone.',
        )
      : offsetFinding(await recordOffsets(io, relayUrl), profile.gateway_time_zone);
  if (reached.kind !== 'answered') {
    return { findings: [...connection, skipped('profile', 'the gateway was not reached'), offsets], sent: 0 };
  }
  const mayProbe = asked.probe || isLoopbackHost(new URL(base_url).hostname);
  const tries = await triesOf(config, account, io);
  try {
    const { known, faults } = mayProbe ? await knownOrders(io, asked) : { known: [], faults: [] };
    const newOrderNo = () => `TurnpikeDoctor${randomBytes(9).toString('hex')}`;
    const steps = diagnose({ profile, mayProbe, newOrderNo, now: io.now(), known });
    const told = await take(steps, (attempt) => tries.send(attempt));
    return { findings: [...connection, ...faults, ...told, offsets], sent: tries.sent() };
  } finally {
    await tries.close();
  }
}

async function triesOf(config: Config, account: Account, io: Io): Promise<Tries> {
  const { createSigner } = await import('../../relay/gateway/signing/signer.ts');
  try {
    await createSigner(config.gateway.profile.signing);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CliError('config_invalid', error.message, { exitCode: EXIT.usage });
  }
  return gatewayTries(config, account, () => io.now());
}

function accountOf({ accounts }: Config, id: string | undefined): Account {
  const account = id === undefined ? accounts[0] : accounts.find((one) => one.id === id);
  if (account) return account;
  throw new UsageError(
    `--account: there is no account ${id}.`,
    `The settings have: ${accounts.map((one) => one.id).join(', ')}.`,
  );
}

function urlOf(io: Io, asked: Examined): string | undefined {
  const url = asked.url ?? (hasKey(io, asked) ? accessOf(io, asked).url : io.env.TURNPIKE_URL);
  if (url !== undefined && !URL.canParse(url)) throw new UsageError(`--url: ${url} is no URL.`);
  return url;
}

/** Whether a relay and a key to it are named. */
function hasKey(io: Io, asked: Examined): boolean {
  try {
    accessOf(io, asked);
    return true;
  } catch (error) {
    // A profile or a key file that is named, and wrong, is no absence.
    if (error instanceof UsageError && (asked.profile ?? asked.keyFile) === undefined) return false;
    throw error;
  }
}

type Known = { known: readonly KnownOrder[]; faults: readonly Finding[] };

async function knownOrders(io: Io, asked: Examined): Promise<Known> {
  if (asked.orders) return { known: asked.orders.map((orderNo) => ({ orderNo })), faults: [] };
  if (!hasKey(io, asked)) return { known: [], faults: [] };
  try {
    return { known: await paidOrders(asked.client()), faults: [] };
  } catch (error) {
    const { message, hint } = failureOf(error).failure;
    const says = `the relay does not give its newest paid orders: ${message}`;
    const next = hint ?? 'Name two paid orders with --orders.';
    return { known: [], faults: [{ check: 'orders of the relay', status: 'unknown', says, next }] };
  }
}

/** The relay's count of wrongly dated records: undefined where it has none, or gives no metrics. */
async function recordOffsets(io: Io, relayUrl: string): Promise<number | undefined> {
  try {
    const response = await io.fetch(new URL('metrics', relayUrl.replace(/\/*$/, '/')).href, {
      signal: AbortSignal.timeout(10_000),
    });
    return response.ok ? recordOffsetsIn(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

/** Two paid orders, the newest ones, with when they were paid. Rejects as the client does. */
async function paidOrders(client: Client): Promise<KnownOrder[]> {
  const { orders } = await client.orders.list({ status: 'paid', limit: 2 });
  return Promise.all(
    orders.map(async ({ order_no }) => {
      const paidAt = paidAtIn(await client.orders.get(order_no));
      return { orderNo: order_no, ...(paidAt ? { paidAt } : {}) };
    }),
  );
}

/** When an order was paid, where no other attempt makes it doubtful. */
function paidAtIn({ timeline }: OrderWithTimeline): Date | undefined {
  const [attempt, ...others] = timeline.filter(({ type }) => type === 'attempt');
  return attempt === undefined || others.length > 0 ? undefined : new Date(attempt.at);
}
