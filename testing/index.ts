export { type TestCard, type TestOutcome, testCards } from '../shared/card-data/test-cards.ts';
export type { Advice } from '../shared/checkout/status.ts';
export { type Checkout, type CheckoutOptions, checkoutOn } from './checkout.ts';
export { CheckoutNotReady, NothingCameOut, NotInTheForm, TestKitError } from './errors.ts';
export type { Address, Filling } from './fields.ts';
export { approveAtIssuer, declineAtIssuer, leaveIssuer } from './issuer.ts';
export type { Outcome } from './outcome.ts';
export type { Shown, WrongField } from './shown.ts';
