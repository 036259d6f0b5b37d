import type { Advice } from '../shared/checkout/status.ts';
import type { WrongField } from './shown.ts';

/** What came of a payment, as the shop's page and the shopper learn it. */
export type Outcome =
  | { status: 'approved'; order_no?: string; transaction_id?: string }
  /** `told` is what the shopper reads; `advice` says the same in every language. */
  | { status: 'declined'; advice?: Advice; attempts_left?: number; told: string }
  /** The page is on its way to the issuer's. */
  | { status: 'redirect' }
  /** A payment is under way that takes long, such as a voucher: `outcome()` waits for what it comes to. */
  | { status: 'pending' }
  /** Not known yet: the form is confirming it, and `outcome()` waits for what it comes to. */
  | { status: 'unknown' }
  /** The shopper is back from the issuer without having paid, or what was pending is over unpaid. */
  | { status: 'not_paid'; told: string }
  /** No try is left. */
  | { status: 'failed' }
  | { status: 'expired' }
  /**
   * Nothing was paid: `fields_invalid` where the form itself finds something to mend, else the code of the element's `error`.
   * `fields` are those that it marks.
   */
  | { status: 'refused'; code: string; told: string; fields: WrongField[] };
