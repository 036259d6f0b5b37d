import type { Message } from '../../../shared/gateway/signature.ts';
import type { Lease } from '../leases.ts';
import type { NewEvent } from './outbox.ts';

/** What the gateway notifies us about: a payment's session or a payout. */
type NotificationKind = 'payment' | 'payout';

/** A notification as it is stored: enough to recognise it, and nothing that a card is in. */
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
  /** The fields by which it may be recognised: their names as in the spec, their values without card data. */
  fields: Readonly<Record<string, string>>;
  /** What it says, where its shop may have to get it; it is due from `due_at` on (ISO 8601). */
  waiting?: { notice: NotificationContent; due_at: string };
};

/** A notification as it stands in the store: the same bytes came so many `times`, last at `last_at`. */
export type KeptNotification = Pick<Notification, 'subject' | 'received_at' | 'bytes' | 'fields'> & {
  last_at: string;
  times: number;
  verified: boolean;
  /** When a webhook reported it, as ISO 8601. */
  told_at?: string;
};

/** How many notifications of a subject were kept, each counted once, and the newest of them, the oldest first. */
export type Notified = { subject: string; count: number; newest: KeptNotification[] };

/** What a notification says, as it is kept until its shop has it or need not get it. */
export type NotificationContent = {
  /** Signed under the profile. */
  verified: boolean;
  /** What the gateway sent, without card data. */
  fields: Message;
  /** The order_nos and transaction_ids that it names. */
  orders: readonly string[];
  trades: readonly string[];
  /** It names a refund. */
  refund?: true;
  /** When it was seen first that `received_at` lies ahead (ISO 8601). */
  ahead?: string;
};

/** A notification that waits until its shop has it or need not get it. */
export type WaitingNotification = Pick<Notification, 'subject' | 'account' | 'received_at' | 'sha256'> & {
  notice: NotificationContent;
};

/** How many notifications of one subject were reported, verified or not. */
export type ReportedNotifications = { subject: string; verified: boolean; count: number };

/** How a waiting notification ends: told by `event`, or not told. */
export type NotificationEnd = { sha256: string; verified: boolean; event?: NewEvent };

/** What the gateway sent, and which of it the shop has yet to get. */
export type NotificationStore = {
  /**
   * Keeps a notification, and makes the order of the session that it is about (where it is about one) due, and the orders of
   * its account that it names. The same bytes for the same subject are kept once and counted.
   */
  add(notification: Notification): Promise<void>;
  /** What the gateway sent about these subjects, the oldest first. */
  list(subjects: readonly string[], limit: number): Promise<KeptNotification[]>;
  /** How much the gateway sent about each of these subjects, where it sent anything, and the newest `limit` of each. */
  listNewest(subjects: readonly string[], limit: number): Promise<Notified[]>;
  /** Waiting notifications of these subjects, the oldest first. */
  listWaiting(subjects: readonly string[], limit: number): Promise<WaitingNotification[]>;
  /** Waiting notifications of these accounts that are due, the longest due first. No other relay gets them before `until`. */
  leaseDue(lease: Lease, accounts: readonly string[]): Promise<WaitingNotification[]>;
  /** Lets notifications that still wait be due at this moment, as is planned now, and keeps what they say where it is given. */
  delay(
    notices: readonly (Pick<WaitingNotification, 'subject' | 'sha256'> & { notice?: WaitingNotification['notice'] })[],
    dueAt: string,
    now: string,
  ): Promise<void>;
  /** How many notifications of each of these subjects were reported since `since`, verified ones and others apart. */
  countReported(subjects: readonly string[], since: string): Promise<ReportedNotifications[]>;
  /**
   * Ends the wait of notifications of one subject. Of those with an event at most `limit` verified ones, and as many
   * others, are reported since `since`; the events of the rest are not written. Counts those that had waited until now: reported, not
   * reported because of the limit, and without an event.
   */
  end(
    subject: string,
    ends: readonly NotificationEnd[],
    terms: { at: string; since: string; limit: number },
  ): Promise<{ told: number; limited: number; known: number }>;
};

/** Which notifications of one subject are reported, and how many of each: reported, over the limit, or without an event. */
type EndedNotifications = {
  reported: { sha256: string; event: NewEvent }[];
  counts: { told: number; limited: number; known: number };
};

/**
 * Tells as many verified notifications as the limit leaves room for, and as many others: what comes unsigned takes no
 * room of what is signed.
 * @param ends those that still wait, of one subject
 * @param alreadyReported what was reported of the subject within the limit's time
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

/** Says of one notification after the other whether there is room for it, and takes that room. */
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
