import type { OrderRecord } from '../../shared/gateway/query.ts';
import { logFailure, type Polling, startPolling } from '../base/polling.ts';
import type { Order } from '../payments/order.ts';
import { accountOf, type Context, leaseOf } from '../store/context.ts';
import type { WaitingNotice } from '../store/notification.ts';
import { endNotices } from './notices.ts';
import { type Asked, type NameList, queryOrders } from './query-orders.ts';

/** Names in one query (spec 8), and notifications that are taken at once. */
const BATCH = 100;

/** Between two polls that nothing wakes. */
const PAUSE_MS = 5000;

const HOUR_MS = 3_600_000;

/** Asks about what notifications name, and tells their shops, until stopped. `stop` waits for what runs. */
export function startNoticePoller(context: Context): Polling {
  const poll = (stopping: AbortSignal): Promise<void> => pollNotices(context, stopping);
  return startPolling(context.log, 'notices', PAUSE_MS, poll, context.wakeUps.notices);
}

/**
 * Asks the gateway about the orders and transactions that due notifications name, a hundred in a query, and tells their
 * shops. What it cannot be asked about now is asked about later, ever more rarely; a day later the shop is told without.
 * Throws StoreError.
 */
export async function pollNotices(context: Context, stopping?: AbortSignal): Promise<void> {
  const accounts = context.config.accounts.map(({ id }) => id);
  for (;;) {
    const due = await context.store.leaseDueNotices(leaseOf(context, BATCH), accounts);
    const groups = [...Map.groupBy(due, ({ account }) => account)];
    const asking = groups.map(([account, notices]) =>
      askAbout(context, account, notices).catch((error: unknown) => logFailure(context.log, 'notices', error)),
    );
    await Promise.all(asking);
    if (due.length < BATCH || stopping?.aborted) return;
  }
}

async function askAbout(context: Context, accountId: string, notices: readonly WaitingNotice[]): Promise<void> {
  const { store } = context;
  const orders = new Map<string, Order | undefined>();
  for (const { subject } of notices) {
    if (!orders.has(subject)) orders.set(subject, await store.orderOfSession(subject));
  }
  const ordersOf = ({ subject, notice }: WaitingNotice): readonly string[] => {
    const own = orders.get(subject)?.order_no;
    return notice.orders.length + notice.trades.length > 0 || own === undefined ? notice.orders : [own];
  };
  const byOrder = await ask(context, accountId, notices, notices.flatMap(ordersOf), 'orders');
  const seen = new Set([...byOrder.values()].flatMap(recordsIn).map(({ transaction_id }) => transaction_id));
  const unseen = notices.flatMap(({ notice }) => notice.trades).filter((name) => !seen.has(name));
  const byTrade = await ask(context, accountId, notices, unseen, 'trades');

  const asked = notices.map((waiting) => {
    const { trades } = waiting.notice;
    const all = [...ordersOf(waiting).map((name) => byOrder.get(name)), ...trades.map((name) => byTrade.get(name))];
    const found = all.filter((one) => one !== undefined);
    return { waiting, order: orders.get(waiting.subject), found, records: found.flatMap(recordsIn) };
  });
  const isLater = ({ waiting, found }: (typeof asked)[number]): boolean =>
    found.some((one) => !one.counted && !one.own) && ageOf(context, waiting) < context.config.resolve.give_up_ms;
  await endNotices(
    context,
    asked.filter((one) => !isLater(one)),
  );
  for (const one of asked.filter(isLater)) await delay(context, one.waiting);
}

/** What queries say of these names; nothing of a name that was not asked about. */
async function ask(
  context: Context,
  accountId: string,
  notices: readonly WaitingNotice[],
  names: readonly string[],
  list: NameList,
): Promise<Map<string, Asked>> {
  const account = accountOf(context, accountId);
  const found = new Map<string, Asked>();
  const left = [...new Set(names)];
  while (left.length > 0) {
    await queryOrders(
      context,
      account,
      left.splice(0, BATCH),
      {
        apply: async (name, asked) => found.set(name, asked),
        keep: () => context.store.delayNotices(notices, leaseOf(context, BATCH).until),
      },
      list,
    );
  }
  return found;
}

function recordsIn(asked: Asked): readonly OrderRecord[] {
  return asked.counted ? asked.records : [];
}

async function delay(context: Context, waiting: WaitingNotice): Promise<void> {
  const { first_ms } = context.config.resolve;
  const wait = Math.min(Math.max(ageOf(context, waiting), first_ms), HOUR_MS);
  await context.store.delayNotices([waiting], new Date(context.now().getTime() + wait).toISOString());
}

function ageOf({ now }: Context, { received_at }: WaitingNotice): number {
  return now().getTime() - Date.parse(received_at);
}
