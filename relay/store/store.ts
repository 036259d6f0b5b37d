import type { AlertStore } from './facets/alerts.ts';
import type { ApprovalStore } from './facets/approvals.ts';
import type { CredentialStore } from './facets/credentials.ts';
import type { KeyStore } from './facets/keys.ts';
import type { ListingStore } from './facets/listing.ts';
import type { RequestStore } from './facets/logs/requests.ts';
import type { NoteStore } from './facets/notes.ts';
import type { NotificationStore } from './facets/notifications.ts';
import type { OperationStore } from './facets/operations.ts';
import type { OrderStore } from './facets/orders.ts';
import type { OutboxStore } from './facets/outbox.ts';
import type { PeopleStore } from './facets/people.ts';
import type { QuotaStore } from './facets/quotas.ts';
import type { RetentionStore } from './facets/retention.ts';
import type { SessionStore } from './facets/sessions.ts';
import type { StatsStore } from './facets/stats.ts';

/**
 * The relay's durable state. Every method is one transaction: if its promise is fulfilled, the change is on disk; if it
 * is rejected (with StoreError), nothing was written. Only if the server is lost during the commit is this unknown:
 * callers must be safe in both cases, and neither may cause a second payment.
 */
export type Store = {
  readonly orders: OrderStore;
  readonly sessions: SessionStore;
  readonly operations: OperationStore;
  readonly approvals: ApprovalStore;
  readonly outbox: OutboxStore;
  readonly keys: KeyStore;
  readonly notifications: NotificationStore;
  readonly notes: NoteStore;
  readonly quotas: QuotaStore;
  readonly people: PeopleStore;
  readonly credentials: CredentialStore;
  readonly listing: ListingStore;
  readonly stats: StatsStore;
  readonly alerts: AlertStore;
  readonly requests: RequestStore;
  readonly retention: RetentionStore;

  /**
   * The milliseconds by which the store's clock is ahead of the caller's, which shows `now` (ISO 8601); 0 if both use
   * one clock. Throws StoreError.
   */
  clockAhead(now: string): Promise<number>;
  /** Makes new connections by another address of the same store, with another role or password. */
  readdress(address: string): void;
  /** Throws StoreError if the store cannot be read and written. */
  check(): Promise<void>;
  close(): Promise<void>;
};
