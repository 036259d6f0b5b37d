import type { Attention } from '../../shared/api/attention.ts';
import type { StatsFigures } from '../../shared/api/stats.ts';
import { type Polling, startPolling } from '../base/polling.ts';
import type { Recipient } from '../config/alerts.ts';
import type { Context } from '../context/context.ts';
import { attentionOf } from '../orders/attention/attention.ts';
import { refreshNow } from '../orders/find.ts';
import { alertMail, type Named, summaryMail } from './mail-text.ts';
import { endedDay, isDue, type Known, mayTry, newsOf, type Sent, sentIn, summaryDue } from './news.ts';
import { createSenders, isByMail, type Senders, type SendResult } from './senders.ts';
import { words } from './words.ts';

/** Between two looks for what is new. */
const LOOK_MS = 30_000;

/** So long a relay has the work for one recipient; what takes longer is done in the next look. */
const LEASE_MS = 300_000;
const WORK_MS = LEASE_MS / 2;

const DAY_MS = 86_400_000;

/** Sends alerts to the recipients of the configuration until stopped: each case at least once. While the relay is paused it sends none. */
export function startAlerts(context: Context, lookMs = LOOK_MS): Polling {
  const senders = createSenders(context);
  const { alerts, paused } = context.config;
  const polling = startPolling(context.log, 'alerts', lookMs, async (stopping) => {
    // What several recipients hear of is read once.
    const attention = remembered((account) => attentionOf(context, account));
    for (const recipient of paused ? [] : alerts.recipients) {
      if (stopping.aborted) return;
      await serve({ context, senders, attention }, recipient);
    }
  });
  return {
    async stop() {
      await senders.close();
      await polling.stop();
    },
  };
}

type Work = { context: Context; senders: Senders; attention: (account: string) => Promise<Attention> };

/** Sends a recipient what is new, if no other relay does. Throws StoreError. */
async function serve(work: Work, recipient: Recipient): Promise<void> {
  const { context } = work;
  const { store, log, metrics } = context;
  const now = context.now();
  const after = (ms: number): string => new Date(now.getTime() + ms).toISOString();
  // Clocks of relays differ a little: a lease counts up to twice as long.
  const state = await store.alerts.take(recipient.id, after(0), after(LEASE_MS), after(2 * LEASE_MS));
  if (state === undefined) return;
  let sent = sentIn(state);
  try {
    if (mayTry(sent, now)) sent = await sendNews(work, recipient, sent, now);
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
    const { code } = error;
    sent = { ...error.sent, failures: error.sent.failures + 1, failed_at: now.toISOString() };
    metrics.alert('failed');
    log.error({ recipient: recipient.id, code }, 'alert not sent, will retry');
  } finally {
    await store.alerts.finish(recipient.id, JSON.stringify(sent));
  }
}

/** A message that a recipient did not get, with what it was sent until then. */
class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly code: string;
  readonly sent: Sent;

  constructor(code: string, sent: Sent) {
    super(code);
    this.code = code;
    this.sent = sent;
  }
}

/** Sends what is due, and returns what the recipient was sent. Throws NotSent and StoreError. */
async function sendNews(work: Work, recipient: Recipient, before: Sent, now: Date): Promise<Sent> {
  const { config } = work.context;
  const { daily_at } = config.alerts;
  let sent: Sent = { ...before, summary_of: before.summary_of ?? endedDay(now, daily_at) };
  if (isDue(recipient, sent, now, daily_at)) sent = await sendAlerts(work, recipient, sent, now);
  const day = summaryDue(recipient, sent, now, daily_at);
  if (day === undefined) return sent;
  const all = await Promise.all(accountsOf(work.context, recipient).map((account) => dayOf(work, account, day)));
  const { to, language } = recipient;
  if (isByMail(to)) succeed(work, await work.senders.mail(to.email, summaryMail(words[language], day, all)), sent);
  else {
    for (const { id: account, figures, attention } of all) {
      const data = { account, day, figures, attention };
      succeed(work, await work.senders.post(to, { type: 'alert.summary', timestamp: now.toISOString(), data }), sent);
    }
  }
  return { ...sent, summary_of: day };
}

type Account = Named & { id: string };

async function sendAlerts(work: Work, recipient: Recipient, before: Sent, now: Date): Promise<Sent> {
  const { context, senders } = work;
  const { to, language } = recipient;
  const begun = context.monotonic();
  const news = [];
  for (const account of accountsOf(context, recipient)) {
    const found = newsOf(await work.attention(account.id), before.accounts[account.id], recipient);
    news.push({ ...account, ...found });
  }
  const after = (told: readonly { id: string; known: Known }[]): Sent => {
    const { failed_at: _, ...rest } = before;
    const accounts = { ...before.accounts, ...Object.fromEntries(told.map(({ id, known }) => [id, known])) };
    return { ...rest, accounts, failures: 0, ...(told.length < news.length ? {} : { at: now.toISOString() }) };
  };
  const fresh = news.filter((one) => one.fresh.length > 0);
  if (fresh.length === 0) return after(news);
  if (isByMail(to)) {
    succeed(work, await senders.mail(to.email, alertMail(words[language], fresh)), before);
    return after(news);
  }
  const told = news.filter((one) => one.fresh.length === 0);
  for (const one of fresh) {
    if (context.monotonic() - begun > WORK_MS) break;
    const event = {
      ...{ type: 'alert.raised', timestamp: now.toISOString() },
      data: { account: one.id, groups: one.fresh },
    };
    succeed(work, await senders.post(to, event), { ...after(told), failures: before.failures });
    told.push(one);
  }
  return after(told);
}

/** Counts a message. Throws NotSent for one that was not taken. */
function succeed({ context }: Work, result: SendResult, sent: Sent): void {
  if (result.kind === 'failed') throw new NotSent(result.code, sent);
  context.metrics.alert('sent');
}

/** The accounts that a recipient hears of, each with its page of the console if people can reach one. */
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

async function dayOf({ context, attention }: Work, account: Account, day: string): Promise<Day> {
  const from = `${day}T00:00:00.000Z`;
  const to = new Date(Date.parse(from) + DAY_MS).toISOString();
  await refreshNow(context);
  const { total } = await context.store.stats.get({ account: account.id, by: 'day', from, to });
  return { ...account, figures: total, attention: await attention(account.id) };
}

/** The same, read once for each account. */
function remembered<T>(read: (account: string) => Promise<T>): (account: string) => Promise<T> {
  const found = new Map<string, Promise<T>>();
  return (account) => {
    const reading = found.get(account) ?? read(account);
    found.set(account, reading);
    return reading;
  };
}
