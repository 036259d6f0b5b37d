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
 * The relay's durable state. Every method is one transaction: when its promise is fulfilled the change is on disk, when
 * it is rejected (with StoreError) nothing was written. Only if the server is lost during the commit is this unknown: the
 * caller must be safe either way, and neither may lead to a second payment.
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
   * By how many milliseconds the store's clock is ahead of the caller's, by which it is `now` (ISO 8601); 0 if they are the same clock.
   * Throws StoreError.
   */
  clockAhead(now: string): Promise<number>;
  /** Makes new connections by another address of the same store, which has another role or password. */
  readdress(address: string): void;
  /** Throws StoreError when the store cannot be read and written. */
  check(): Promise<void>;
  close(): Promise<void>;
};
