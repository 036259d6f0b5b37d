import type { Attention } from '../../shared/api/attention.ts';
import type { StatsFigures } from '../../shared/api/stats.ts';
import { sha256 } from '../base/keys.ts';
import { failureFields } from '../base/log.ts';
import { logFailure, type Polling, startPolling } from '../base/polling.ts';
import type { Recipient } from '../config/alerts.ts';
import type { Context } from '../context/context.ts';
import { attentionOf } from '../orders/attention/attention.ts';
import { refreshNow } from '../orders/find.ts';
import { isDue, lastSummary, mayTry, summaryDue } from './due-alerts.ts';
import { alertMail, type Named, summaryMail } from './mail-text.ts';
import { newCasesOf } from './new-cases.ts';
import { type RecipientState, readState } from './recipient-state.ts';
import { createSenders, isByMail, type Senders, type SendResult } from './senders.ts';
import { texts } from './texts.ts';

/** The interval between two checks for new cases. */
const CHECK_MS = 30_000;

/** How long a relay has the lease of a recipient, and how long it works on it. The rest is done in the next round. */
const LEASE_MS = 300_000;
const WORK_MS = LEASE_MS / 2;

const DAY_MS = 86_400_000;

/** How long the cases of an account are cached for several recipients. */
const READ_MS = 10_000;

/** Sends alerts to the recipients of the configuration until stopped: each case at least once. While the relay is paused it sends none. */
export function startAlerts(context: Context, checkMs = CHECK_MS): Polling {
  const { log, config } = context;
  const senders = createSenders(context);
  const attention = remembered(context, Math.min(READ_MS, checkMs), (account) => attentionOf(context, account));
  const polling = startPolling(log, 'alerts', checkMs, async (stopping) => {
    for (const recipient of config.paused ? [] : config.alerts.recipients) {
      if (stopping.aborted) return;
      // A recipient that fails does not delay the others.
      await alertRecipient({ context, senders, attention }, recipient).catch((error: unknown) =>
        logFailure(log, 'alerts', error),
      );
    }
  });
  return {
    async stop() {
      const done = polling.stop();
      await senders.close();
      await done;
    },
  };
}

type AlertContext = { context: Context; senders: Senders; attention: (account: string) => Promise<Attention> };

/** One round of alerts to a recipient. `keep` notes the sent alerts as soon as the recipient has accepted them. */
type Round = { recipient: Recipient; now: Date; isLate: () => boolean; keep: (sent: RecipientState) => void };

/** Sends a recipient the new cases, if no other relay does. Throws StoreError. */
async function alertRecipient(work: AlertContext, recipient: Recipient): Promise<void> {
  const { store, log, metrics, monotonic, ...context } = work.context;
  const now = context.now();
  const begun = monotonic();
  const after = (ms: number): string => new Date(now.getTime() + ms).toISOString();
  const until = after(LEASE_MS);
  // The clocks of relays may differ a little: a lease counts for up to twice its time.
  const state = await store.alerts.take(recipient.id, after(0), until, after(2 * LEASE_MS));
  if (state === undefined) return;
  let kept = state;
  const keep = (sent: RecipientState): void => {
    kept = JSON.stringify(sent);
  };
  const round = { recipient, now, isLate: () => monotonic() - begun > WORK_MS, keep };
  try {
    if (mayTry(readState(kept), now)) await sendAll(work, round, readState(kept));
  } catch (error) {
    const { code = 'unknown' } = failureFields(error);
    const sent = stateOrEmpty(kept);
    keep({ ...sent, failures: sent.failures + 1, failed_at: after(0) });
    metrics.alert('failed');
    log.error({ recipient: recipient.id, code }, 'alert not sent, will retry');
  } finally {
    await store.alerts.finish(recipient.id, kept, until);
  }
}

/** A message that a recipient did not accept. */
class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Sends the alerts and the summary that are due. Throws NotSent and StoreError. */
async function sendAll(work: AlertContext, round: Round, before: RecipientState): Promise<void> {
  const { recipient, now, keep } = round;
  const { daily_at } = work.context.config.alerts;
  let sent: RecipientState = { ...before, summary_of: lastSummary(before, now, daily_at) };
  if (isDue(recipient, sent, now, daily_at)) sent = await sendAlerts(work, round, sent);
  const day = summaryDue(recipient, sent, now, daily_at);
  if (day !== undefined) sent = await sendSummary(work, round, sent, day);
  const { failed_at: _, ...rest } = sent;
  keep({ ...rest, failures: 0 });
}

type Account = Named & { id: string };

async function sendAlerts(
  work: AlertContext,
  { recipient, now, isLate, keep }: Round,
  before: RecipientState,
): Promise<RecipientState> {
  const { context, senders } = work;
  const { to, language } = recipient;
  const all: (Account & ReturnType<typeof newCasesOf>)[] = [];
  for (const account of accountsOf(context, recipient)) {
    all.push({ ...account, ...newCasesOf(await work.attention(account.id), before.accounts[account.id], recipient) });
  }
  const after = (reported: readonly (typeof all)[number][]): RecipientState => ({
    ...before,
    accounts: { ...before.accounts, ...Object.fromEntries(reported.map(({ id, known }) => [id, known])) },
    ...(reported.length < all.length ? {} : { at: now.toISOString() }),
  });
  const fresh = all.filter((one) => one.fresh.length > 0);
  const reported = all.filter((one) => one.fresh.length === 0);
  if (fresh.length > 0 && isByMail(to)) {
    countSent(work, await senders.mail(to.email, alertMail(texts[language], fresh)));
    reported.push(...fresh);
  } else if (!isByMail(to)) {
    for (const one of fresh) {
      if (isLate()) break;
      const data = { account: one.id, groups: one.fresh };
      countSent(work, await senders.post(to, ...eventOf(recipient, 'alert.raised', now, data)));
      reported.push(one);
      keep(after(reported));
    }
  }
  const sent = after(reported);
  keep(sent);
  return sent;
}

async function sendSummary(
  work: AlertContext,
  { recipient, now, isLate, keep }: Round,
  before: RecipientState,
  day: string,
): Promise<RecipientState> {
  const { to, language } = recipient;
  const all = accountsOf(work.context, recipient);
  const { summed, ...rest } = before;
  const over: RecipientState = { ...rest, summary_of: day };
  if (isByMail(to)) {
    const days = await Promise.all(all.map((account) => dayOf(work, account, day)));
    countSent(work, await work.senders.mail(to.email, summaryMail(texts[language], day, days)));
    return over;
  }
  const done = summed?.day === day ? [...summed.accounts] : [];
  for (const account of all.filter(({ id }) => !done.includes(id))) {
    if (isLate()) return { ...rest, summed: { day, accounts: done } };
    const { id, figures, attention } = await dayOf(work, account, day);
    const data = { account: id, day, figures, attention };
    countSent(work, await work.senders.post(to, ...eventOf(recipient, 'alert.summary', now, data, `${id} ${day}`)));
    done.push(id);
    keep({ ...rest, summed: { day, accounts: done } });
  }
  return over;
}

/** An event with its id, which is the same when it is sent again. `name` distinguishes it from other events, by default its data. */
function eventOf(
  { id }: Recipient,
  type: string,
  now: Date,
  data: object,
  name = JSON.stringify(data),
): [id: string, event: object] {
  return [`msg_${sha256(`${type} ${id} ${name}`).slice(0, 32)}`, { type, timestamp: now.toISOString(), data }];
}

/** Counts a message. Throws NotSent if it was not accepted. */
function countSent({ context }: AlertContext, result: SendResult): void {
  if (result.kind === 'failed') throw new NotSent(result.code);
  context.metrics.alert('sent');
}

/** Reads a stored state; an empty one if it cannot be read. */
function stateOrEmpty(state: string): RecipientState {
  try {
    return readState(state);
  } catch {
    return readState('{}');
  }
}

/** The accounts of a recipient, each with its page of the console if there is one. */
function accountsOf({ config }: Context, { accounts }: Recipient): Account[] {
  const { people, listen } = config.console;
  const own = people.length > 0 && !listen ? `${config.public_url}/console` : undefined;
  const base = config.alerts.console_url ?? own;
  return config.accounts.flatMap(({ id, name }) =>
    accounts && !accounts.includes(id)
      ? []
      : [{ id, name, ...(base === undefined ? {} : { href: `${base}/${encodeURIComponent(id)}` }) }],
  );
}

type Day = Account & { figures: StatsFigures; attention: Attention };

async function dayOf({ context, attention }: AlertContext, account: Account, day: string): Promise<Day> {
  const from = `${day}T00:00:00.000Z`;
  const to = new Date(Date.parse(from) + DAY_MS).toISOString();
  await refreshNow(context);
  const { total } = await context.store.stats.get({ account: account.id, by: 'day', from, to });
  return { ...account, figures: total, attention: await attention(account.id) };
}

/** Returns `read` with a cache: each account is read once in `forMs`. */
function remembered<T>(
  { monotonic }: Pick<Context, 'monotonic'>,
  forMs: number,
  read: (account: string) => Promise<T>,
): (account: string) => Promise<T> {
  const found = new Map<string, { at: number; reading: Promise<T> }>();
  return (account) => {
    const known = found.get(account);
    if (known && monotonic() - known.at < forMs) return known.reading;
    const reading = read(account);
    found.set(account, { at: monotonic(), reading });
    // A failure is not kept.
    reading.catch(() => found.delete(account));
    return reading;
  };
}
