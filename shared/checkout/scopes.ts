/** The permissions of an API key. `*` is all of them. */
export const scopes = [
  'sessions',
  'payments',
  'query',
  'refund',
  'review',
  'capture',
  'cancel',
  'subscription',
  'payout',
  'events',
  'settle',
  'console',
  '*',
] as const;

export type Scope = (typeof scopes)[number];
