import type { Message } from '../../../shared/gateway/signature.ts';
import type { Lease } from '../leases.ts';
import type { NewEvent } from './outbox.ts';

/** The subject of a notification: a payment's session or a payout. */
type NotificationKind = 'payment' | 'payout';

/** A notification as it is stored: enough to identify it, without card data. */
export type Notification = {
  kind: NotificationKind;
  /** The session or operation that its address is for. */
  subject: string;
  account: string;
  /** ISO 8601 in UTC. */
  received_at: string;
  bytes: number;
  /** SHA-256 of the body in hex. */
  sha256: string;
  /** The fields that identify it: their names as in the spec, their values without card data. */
  fields: Readonly<Record<string, string>>;
  /** Its content, if the shop may need a report of it. It is due from `due_at` on (ISO 8601). */
  waiting?: { notice: NotificationContent; due_at: string };
};

/** A stored notification. The same bytes came `times` times, last at `last_at`. */
export type KeptNotification = Pick<Notification, 'subject' | 'received_at' | 'bytes' | 'fields'> & {
  last_at: string;
  times: number;
  verified: boolean;
  /** The time of the webhook that reported it, as ISO 8601. */
  told_at?: string;
};

/** The number of a subject's notifications, each counted once, and the newest of them, the oldest first. */
export type Notified = { subject: string; count: number; newest: KeptNotification[] };

/** The content of a notification. It is kept until the notification is reported, or needs no report. */
export type NotificationContent = {
  /** Signed under the profile. */
  verified: boolean;
  /** The gateway's message, without card data. */
  fields: Message;
  /** The order_nos and transaction_ids that it names. */
  orders: readonly string[];
  trades: readonly string[];
  /** It names a refund. */
  refund?: true;
  /** The time at which `received_at` was first seen to be in the future (ISO 8601). */
  ahead?: string;
};

/** A notification that is not reported yet, and may need no report. */
export type WaitingNotification = Pick<Notification, 'subject' | 'account' | 'received_at' | 'sha256'> & {
  notice: NotificationContent;
};

/** The number of reported notifications of one subject, verified or not. */
export type ReportedNotifications = { subject: string; verified: boolean; count: number };

/** The end of a waiting notification: reported by `event`, or without a report. */
export type NotificationEnd = { sha256: string; verified: boolean; event?: NewEvent };

/** The gateway's notifications, and which of them wait for a report to the shop. */
export type NotificationStore = {
  /**
   * Stores a notification, and makes orders due: that of its session, if it has one, and those of its account that it names.
   * The same bytes for the same subject are stored once and counted.
   */
  add(notification: Notification): Promise<void>;
  /** The notifications of these subjects, the oldest first. */
  list(subjects: readonly string[], limit: number): Promise<KeptNotification[]>;
  /** For each of these subjects that has notifications: their number, and the newest `limit`. */
  listNewest(subjects: readonly string[], limit: number): Promise<Notified[]>;
  /** Waiting notifications of these subjects, the oldest first. */
  listWaiting(subjects: readonly string[], limit: number): Promise<WaitingNotification[]>;
  /** Waiting notifications of these accounts that are due, the longest due first. No other relay gets them before `until`. */
  leaseDue(lease: Lease, accounts: readonly string[]): Promise<WaitingNotification[]>;
  /** Makes notifications that still wait due at `dueAt`, as planned at `now`, and stores their content if it is given. */
  delay(
    notices: readonly (Pick<WaitingNotification, 'subject' | 'sha256'> & { notice?: WaitingNotification['notice'] })[],
    dueAt: string,
    now: string,
  ): Promise<void>;
  /** The number of each subject's notifications that were reported since `since`: of verified ones, and of others. */
  countReported(subjects: readonly string[], since: string): Promise<ReportedNotifications[]>;
  /**
   * Ends the wait of notifications of one subject. At most `limit` verified ones and `limit` others with an event are reported
   * since `since`; the other events are not written. Counts the notifications that waited: reported, not reported because of the
   * limit, and without an event.
   */
  end(
    subject: string,
    ends: readonly NotificationEnd[],
    terms: { at: string; since: string; limit: number },
  ): Promise<{ told: number; limited: number; known: number }>;
};

/** The notifications of one subject that are reported, and the numbers of those reported, over the limit, and without an event. */
type EndedNotifications = {
  reported: { sha256: string; event: NewEvent }[];
  counts: { told: number; limited: number; known: number };
};

/**
 * Selects the notifications to report: up to `limit` verified ones and up to `limit` others. Unsigned notifications never use up
 * the limit of signed ones.
 * @param ends the notifications of one subject that still wait
 * @param alreadyReported the subject's notifications that were reported within the limit's time
 */
export function selectReported(
  ends: readonly NotificationEnd[],
  alreadyReported: readonly ReportedNotifications[],
  limit: number,
): EndedNotifications {
  const hasRoom = createLimiter(alreadyReported, limit);
  const ended = ends.map((end) => ({ ...end, isReported: end.event !== undefined && hasRoom(end) }));
  const reported = ended.flatMap(({ sha256, event, isReported }) => (event && isReported ? [{ sha256, event }] : []));
  const known = ended.filter(({ event }) => event === undefined).length;
  return { reported, counts: { told: reported.length, limited: ends.length - known - reported.length, known } };
}

/** Returns a function that counts a notification against the limit, and returns false if the limit is used up. */
export function createLimiter(
  alreadyReported: readonly ReportedNotifications[],
  limit: number,
): (one: { verified: boolean }) => boolean {
  const count = (isVerified: boolean): number =>
    alreadyReported.find(({ verified }) => verified === isVerified)?.count ?? 0;
  const left = new Map([true, false].map((verified) => [verified, limit - count(verified)]));
  return ({ verified }) => {
    const room = left.get(verified) ?? 0;
    left.set(verified, room - 1);
    return room > 0;
  };
}
