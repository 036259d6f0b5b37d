/** What an API key may do. `*` is everything. */
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
