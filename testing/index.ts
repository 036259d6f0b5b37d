export { type TestCard, type TestOutcome, testCards } from '../shared/card-data/test-cards.ts';
export type { Advice } from '../shared/checkout/status.ts';
export { type Checkout, type CheckoutOptions, checkoutOn, type Outcome } from './checkout.ts';
export type { Address, Filling } from './fields.ts';
export { approveAtIssuer, declineAtIssuer, leaveIssuer, payLaterAtIssuer } from './issuer.ts';
export {
  CheckoutNotReady,
  NothingCameOut,
  NotInTheForm,
  type Shown,
  TestKitError,
  type WrongField,
} from './shown.ts';
