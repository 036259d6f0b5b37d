import { randomBytes } from 'node:crypto';
import type { Client, OrderWithTimeline } from '../../client/index.ts';
import { ConfigError } from '../../relay/base/errors.ts';
import type { Account, Config } from '../../relay/config/load.ts';
import { isLoopbackHost } from '../../relay/gateway/issuer/addresses.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import { CliError, EXIT, failureOf, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { accessOf, type GlobalOptions } from '../base/settings.ts';
import { readConfig } from '../settings/config.ts';
import { diagnoseContentType, diagnoseDates, diagnoseList } from './diagnose-forms.ts';
import { diagnoseSigning, type Given } from './diagnose-signing.ts';
import { type Finding, ok, skipped, unknown, wrongSetting } from './finding.ts';
import { gatewayTries, type Tries } from './gateway-tries.ts';
import { reach, reachFindings } from './reach.ts';
import { createAsk, type Steps, take } from './reaction.ts';
import { seenByRelay } from './seen-by-relay.ts';
import { type KnownOrder, timeZoneFindings } from './time-zone.ts';

/** What is examined, and the limits of the examination. */
type Examined = GlobalOptions & {
  file: string;
  account?: string | undefined;
  probe: boolean;
  orders?: string[] | undefined;
  client: () => Promise<Client>;
};

/** The findings, and the number of messages sent to the gateway. */
type Examination = { findings: Finding[]; sent: number };

/** Runs all checks. Throws CliError if the settings are unusable. */
export async function examine(io: Io, asked: Examined): Promise<Examination> {
  const config = await readConfig(asked.file, io.env);
  const account = accountOf(config, asked.account);
  const { base_url, profile } = config.gateway;
  const relayUrl = urlOf(io, asked);
  const reached = await reach(base_url);
  const connection = reachFindings(base_url, reached, io.now());
  const seen = await seenByRelay(io, relayUrl, profile);
  if (reached.kind !== 'answered') {
    return { findings: [...connection, skipped('profile', 'the gateway was not reached'), ...seen], sent: 0 };
  }
  const mayProbe = asked.probe || isLoopbackHost(new URL(base_url).hostname);
  const tries = await triesOf(config, account, io);
  try {
    const { known, faults } = mayProbe ? await knownOrders(io, asked) : { known: [], faults: [] };
    const newOrderNo = () => `TurnpikeDoctor${randomBytes(9).toString('hex')}`;
    const isSecretPadded = account.signingSecret.trim() !== account.signingSecret;
    const steps = diagnose({ profile, mayProbe, isSecretPadded, newOrderNo, now: io.now(), known });
    const results = await take(steps, (attempt) => tries.send(attempt));
    return { findings: [...connection, ...faults, ...results, ...seen], sent: tries.sent() };
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

/** Whether a relay and its key are given. */
function hasKey(io: Io, asked: Examined): boolean {
  try {
    accessOf(io, asked);
    return true;
  } catch (error) {
    // A wrong profile or key file is an error, not an absence.
    if (error instanceof UsageError && (asked.profile ?? asked.keyFile) === undefined) return false;
    throw error;
  }
}

type Known = { known: readonly KnownOrder[]; faults: readonly Finding[] };

async function knownOrders(io: Io, asked: Examined): Promise<Known> {
  if (asked.orders) return { known: asked.orders.map((orderNo) => ({ orderNo })), faults: [] };
  if (!hasKey(io, asked)) return { known: [], faults: [] };
  try {
    return { known: await paidOrders(await asked.client()), faults: [] };
  } catch (error) {
    const { message, hint } = failureOf(error).failure;
    const says = `the relay does not give its newest paid orders: ${message}`;
    const next = hint ?? 'Name two paid orders with --orders.';
    return { known: [], faults: [unknown('orders of the relay', says, next)] };
  }
}

/** The two newest paid orders, with the times of their payments. Rejects as the client does. */
async function paidOrders(client: Client): Promise<KnownOrder[]> {
  const { orders } = await client.orders.list({ status: 'paid', limit: 2 });
  return Promise.all(
    orders.map(async ({ order_no }) => {
      return { orderNo: order_no, paidAt: paidAtIn(await client.orders.get(order_no)) };
    }),
  );
}

/** The time of an order's payment, if there is only one attempt that may have paid. */
function paidAtIn({ timeline }: OrderWithTimeline): Date | undefined {
  const [attempt, ...others] = timeline.filter(({ type }) => type === 'attempt');
  return attempt === undefined || others.length > 0 ? undefined : new Date(attempt.at);
}

/** The checks that send messages to the gateway, and their results. */
export type Diagnosis = {
  /** Paid orders of this account, with the time of payment if it is known. */
  known: readonly KnownOrder[];
} & Given;

/**
 * Finds the wrong settings of the profile from the gateway's reactions to at most ten messages. Pure: each step is a
 * message to send. No message is sent twice, and none changes anything at the gateway.
 */
export function* diagnose(given: Diagnosis): Steps<Finding[]> {
  const ask = createAsk();
  const { findings, signing, period } = yield* diagnoseSigning(given, ask);
  if (signing === undefined) return [...findings, skipped(FORMS, 'no query was taken'), unproved];
  if (!given.mayProbe) return [...findings, skipped(FORMS, 'it is not on loopback', 'Run it with --probe.'), unproved];
  const signed = { ...given, signing, period, known: given.known.map(({ orderNo }) => orderNo) };
  const list = yield* diagnoseList(signed, ask);
  // A gateway that requires dates besides orders has already been detected.
  const dates = period ? [] : yield* diagnoseDates(signed, ask);
  const contentType = yield* diagnoseContentType(signed, ask);
  return [
    ...findings,
    ...list.findings,
    ...dates,
    ...contentType,
    ...codeFindings(list.records, given),
    ...zoneFindings(list.records, given),
    unproved,
  ];
}

const FORMS = 'lists, dates, content type';

const NO_ORDERS = 'no paid order is known';
const NAME_ORDERS = 'Give --url and a key whose scope is console: the newest two are taken.';

function zoneFindings(records: readonly Partial<OrderRecord>[], given: Diagnosis): Finding[] {
  const findings = timeZoneFindings(records, given);
  if (findings.length > 0) return findings;
  return [skipped('time zone of dates', 'no order is known that the relay itself was paid for', NAME_ORDERS)];
}

/** The finding about the code book, from a paid order's record. */
function codeFindings(records: readonly Partial<OrderRecord>[], { profile }: Diagnosis): Finding[] {
  const check = 'code of a paid order';
  const { approved } = profile.codes.payment_status;
  const listed = Object.values(profile.codes.payment_status).flat();
  const unlisted = records.flatMap(({ payment_status: code }) =>
    code === undefined || code === null || listed.includes(code) ? [] : [code],
  );
  if (records.length === 0) return [skipped(check, NO_ORDERS, NAME_ORDERS)];
  if (unlisted.length === 0) return [ok(check, 'the payment_status of paid orders is listed')];
  const setting = 'gateway.profile.codes.payment_status.approved';
  const works = [...new Set([...approved, ...unlisted])];
  return [
    wrongSetting(check, { setting, works, file: approved }, 'Have the gateway’s operator confirm what it means.'),
  ];
}

/** The finding about settings that only payments, refunds and notifications can prove. */
const unproved = skipped(
  'other settings',
  'cannot be checked by a query: gateway.headers and of gateway.profile birth_date, expiration_year, checkout_time, time_zone, ' +
    'service_field, notification_ack, not_taken_statuses, and the codes of payments, refunds, captures, cancellations, reviews and payouts',
  'docs/gateway-profile.md has the question and the test payment for each.',
);
