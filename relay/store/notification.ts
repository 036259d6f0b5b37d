/** What the gateway notifies us about: a payment's session or a payout. */
export type NotificationKind = 'payment' | 'payout';

/** A notification as it is kept (design 7): enough to recognise it, and nothing that a card is in. */
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
};
