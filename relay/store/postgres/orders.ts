import type { Attempt } from '../../payments/attempt.ts';
import { emptyOrder, type Order } from '../../payments/order.ts';
import type { Session } from '../../payments/session.ts';
import { changesOf, droppedTransactions, orderData, sessionFigures, transactionsOf } from '../order-changes.ts';
import { parsed, type Row, sessionFrom, withRow } from '../rows.ts';
import type { OrderLeased, OrderWrite, OrderWritten, Store } from '../store.ts';
import type { Database, Step } from './database.ts';
import { eventValues, lockSubjects } from './events.ts';
import { leadValues } from './keys.ts';
import { sql } from './order-statements.ts';
import { limitedIn, quotaSteps } from './quotas.ts';

type OrderMethods = Pick<
  Store,
  | 'order'
  | 'orderOfSession'
  | 'writeOrder'
  | 'limitedBy'
  | 'leaseDueOrders'
  | 'leaseOrder'
  | 'keepOrders'
  | 'releaseOrder'
>;

/** Orders: who holds each, what paid it, when it is asked about, and every change of its sessions and attempts. */
export function postgresOrders(db: Database): OrderMethods {
  const quotas = quotaSteps;
  return {
    order: async (account, orderNo) => {
      const [row = {}] = await db.read(sql.order, account, orderNo);
      return wholeOrderFrom(account, orderNo, row);
    },

    orderOfSession: async (id) => {
      const [row] = await db.read(sql.orderOfSession, id);
      return row && wholeOrderFrom(String(row.account), String(row.order_no), row);
    },

    writeOrder: (write) =>
      db.transaction<OrderWritten>(async (run) => {
        const { before, after, events, quotas: counted, uncounted, lead } = write;
        const { account, order_no, version } = before;
        const changes = changesOf(before, after);
        const ids = changes.changedSessions.map(({ id }) => id);
        const limits = counted?.counted ?? [];
        const [, [row] = [], sessions = [], ...found] = await run(
          [sql.ensure, account, order_no],
          [sql.lockOrder, account, order_no],
          [sql.lockSessions, ids],
          ...quotas.check(limits, counted?.at ?? ''),
          ...(uncounted ? quotas.lock(uncounted.quotas) : []),
        );
        const versions = new Map(sessions.map(({ id, version: now }) => [String(id), Number(now)]));
        const isSame = changes.changedSessions.every(({ id, version: next }) => versions.get(id) === next - 1);
        const refused = async (why: Exclude<OrderWritten, { kind: 'written' }>): Promise<OrderWritten> => {
          // A row that was only made to be locked.
          if (version === 0) await run([sql.dropEmpty, account, order_no]);
          return why;
        };
        if (Number(row?.version) !== version || !isSame) return refused({ kind: 'changed' });
        const limited = limitedIn(limits, found.at(1)?.[0]);
        if (limits.length > 0 && limited) return refused(limited);
        if (lead) {
          const [led = []] = await run([sql.lead, ...leadValues(lead.key), lead.subject]);
          if (led.length === 0) return refused({ kind: 'key_lost' });
        }
        await run(
          ...(counted ? quotas.count(limits, counted.at) : []),
          ...(uncounted ? quotas.uncount(uncounted.quotas, uncounted.at) : []),
          ...writeSteps(write),
          ...lockSubjects(events),
          ...(events.length > 0 ? [[sql.addEvents, ...eventValues(events)] satisfies Step] : []),
        );
        return { kind: 'written' };
      }),

    limitedBy: async (limits, at) => {
      if (limits.length === 0) return undefined;
      const [row] = await db.read(...quotas.peek(limits, at));
      return limitedIn(limits, row);
    },

    leaseDueOrders: async ({ now, until, limit }, accounts, quietSince) =>
      (await db.write([sql.leaseDue, now, until, limit, accounts, quietSince])).map((row) => ({
        account: String(row.account),
        order_no: String(row.order_no),
      })),

    leaseOrder: async ({ account, order_no }, { now, until }, quietSince): Promise<OrderLeased> => {
      const [leased] = await db.write([sql.lease, account, order_no, now, until, quietSince]);
      if (leased) return { kind: 'leased' };
      const [row] = await db.read(sql.leaseOf, account, order_no);
      const held = typeof row?.leased_until === 'string' && row.leased_until > now ? row.leased_until : row?.queried_at;
      return typeof held === 'string' ? { kind: 'wait', until: held } : { kind: 'leased' };
    },

    keepOrders: async (orders, until) => {
      const [accounts, numbers] = [orders.map(({ account }) => account), orders.map(({ order_no }) => order_no)];
      await db.write([sql.keep, accounts, numbers, until]);
    },

    releaseOrder: async ({ account, order_no }, askedAt) =>
      void (await db.write([sql.release, account, order_no, askedAt])),
  };
}

function writeSteps({ before, after, release }: OrderWrite): Step[] {
  const { newSessions, changedSessions, newAttempts, changedAttempts } = changesOf(before, after);
  const { account, order_no, hold, next_query_at } = after;
  const data = orderData(after);
  const dropped = droppedTransactions(before, after);
  return [
    [
      sql.putOrder,
      account,
      order_no,
      before.version + 1,
      hold,
      next_query_at ?? null,
      data,
      release ? (after.queries.last?.at ?? '') : null,
    ],
    ...(dropped.length > 0 ? [[sql.dropTransactions, account, order_no, dropped] satisfies Step] : []),
    ...transactionsOf(before, after).map(
      ({ transaction_id, amount, currency }): Step => [
        sql.putTransaction,
        account,
        transaction_id,
        order_no,
        amount,
        currency,
      ],
    ),
    ...newSessions.map((session): Step => [sql.insertSession, ...newValues(session)]),
    ...changedSessions.map((session): Step => [sql.updateSession, ...changeValues(session)]),
    ...newAttempts.map(
      (attempt): Step => [
        sql.insertAttempt,
        attempt.id,
        attempt.session_id,
        account,
        order_no,
        attempt.started_at,
        JSON.stringify(attempt),
      ],
    ),
    ...changedAttempts.map((attempt): Step => [sql.updateAttempt, attempt.id, JSON.stringify(attempt)]),
  ];
}

function newValues(session: Session) {
  const { id, account, order_no, version, revision, created_at, expires_at, terms, state } = session;
  const described = [JSON.stringify(terms), JSON.stringify(state)];
  return [id, account, order_no, state.status, version, revision, created_at, expires_at, ...described];
}

function changeValues(session: Session) {
  const { id, state, version, revision, expires_at, terms, settled } = session;
  const { unknown_since, needs_attention } = sessionFigures(session);
  const described = [JSON.stringify(terms), JSON.stringify(state), settled ? JSON.stringify(settled) : null];
  return [id, state.status, version, revision, expires_at, unknown_since, needs_attention, ...described];
}

/** The order in a row that holds its sessions and attempts as lists of JSON. */
function wholeOrderFrom(account: string, orderNo: string, row: Row): Order {
  const sessions = list(row.sessions).map((one) => sessionFrom(parsed<Row>(one)));
  const attempts = list(row.attempts).map((one) => parsed<Attempt>(one));
  return withRow({ ...emptyOrder(account, orderNo), sessions, attempts }, row);
}

function list(column: unknown): unknown[] {
  return Array.isArray(column) ? column : [];
}
