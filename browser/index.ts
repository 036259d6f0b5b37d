export type { ChangeDetail, ErrorDetail, FieldDetail, ResultDetail, Variables } from '../shared/checkout/frame.ts';
export type {
  Appearance,
  Changes,
  CheckoutElement,
  CheckoutEvents,
  CheckoutOptions,
  EventDetails,
  EventName,
  Finding,
  Handle,
  Turnpike,
} from '../shared/checkout/page.ts';
export type { CheckoutAttributes, CheckoutListeners } from './attributes.ts';
