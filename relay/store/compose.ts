import type { OperationStore } from './facets/operations.ts';
import type { OrderStore } from './facets/orders.ts';
import type { NewEvent } from './facets/outbox.ts';
import type { StoredAuditEntry } from './facets/people.ts';
import type { QuotaStore } from './facets/quotas.ts';
import type { Pace } from './facets/retention.ts';
import type { StatsStore } from './facets/stats.ts';
import { figures } from './sql/figures.ts';
import { type KeyParts, keys } from './sql/keys.ts';
import { type ListParts, listing } from './sql/listing.ts';
import { notifications } from './sql/notifications.ts';
import { type OperationWalk, operations } from './sql/operations.ts';
import { orderLeases } from './sql/order-leases.ts';
import { outbox } from './sql/outbox.ts';
import { alerts } from './sql/people/alerts.ts';
import { approvals } from './sql/people/approvals.ts';
import { credentials } from './sql/people/credentials.ts';
import { notes } from './sql/people/notes.ts';
import { people } from './sql/people/people.ts';
import { type Plan, run, type Sql } from './sql/plan.ts';
import { requests } from './sql/requests.ts';
import { overdue } from './sql/retention/overdue.ts';
import { purge, type RetentionParts } from './sql/retention/purge.ts';
import { type SessionParts, sessions } from './sql/sessions.ts';
import type { Store } from './store.ts';

/** The parts that differ between the databases. */
export type OwnParts = {
  orders: Pick<OrderStore, 'get' | 'getMany' | 'ofSession' | 'write'>;
  operations: Pick<OperationStore, 'begin' | 'finish'> & OperationWalk;
  keys: KeyParts;
  sessions: Pick<SessionParts, 'known' | 'added'>;
  quotas: QuotaStore;
  list: ListParts;
  stats: Pick<StatsStore, 'get' | 'refresh'>;
  /** Adds webhooks, and an entry of the audit log, within a transaction. */
  addEvents(events: readonly NewEvent[]): Plan<void>;
  addAudit(entry: StoredAuditEntry): Plan<void>;
  forgetCounted: RetentionParts['forgetCounted'];
  pace: Pace;
};

/** The store in a database: the common parts, and the parts of this database. */
export function storeOf(sql: Sql, own: OwnParts): Omit<Store, 'clockAhead' | 'readdress' | 'close'> {
  const { addAudit, addEvents } = own;
  const { begin, finish } = own.operations;
  // A real write, because a full disk can still be read, and so can a standby server.
  const beat = sql.statement(
    'check',
    `INSERT INTO ${sql.dialect.table('pulse')} AS p (id, beats) VALUES (1, 1)
    ON CONFLICT (id) DO UPDATE SET beats = p.beats + 1`,
  );
  return {
    orders: { ...orderLeases(sql), ...own.orders },
    sessions: sessions(sql, { ...own.sessions, addAudit, answer: own.keys.answer }),
    operations: { begin, finish, ...operations(sql, own.operations) },
    approvals: approvals(sql, { holds: own.keys.holds, answer: own.keys.answer, addAudit }),
    outbox: outbox(sql, addEvents),
    keys: keys(sql, own.keys),
    notifications: notifications(sql, addEvents),
    notes: notes(sql, { addAudit, answer: own.keys.answer }),
    quotas: own.quotas,
    people: people(sql, addAudit),
    credentials: credentials(sql),
    listing: listing(sql, own.list),
    stats: { ...own.stats, ...figures(sql) },
    alerts: alerts(sql),
    requests: requests(sql),
    retention: {
      pace: own.pace,
      purge: purge(sql, { ...own, lockList: own.list.lockList, forgetClaims: own.keys.forgetClaims }),
      overdue: overdue(sql),
    },
    check: () => sql.write(() => run([beat])),
  };
}
