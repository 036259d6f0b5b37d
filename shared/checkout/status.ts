/** The states of a session (one checkout of one order). */
export const sessionStatuses = [
  'open',
  'processing',
  'redirected',
  'pending',
  'unknown',
  'approved',
  'failed',
  'expired',
] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

/** The advice to a shopper after a decline. The form shows no other part of the gateway's reason. */
export const advices = ['check_details', 'try_another_card', 'contact_bank', 'try_later'] as const;
export type Advice = (typeof advices)[number];
