import type { ClassAttributes, HTMLAttributes } from 'preact';
import type { CheckoutElement } from '../shared/checkout/page.ts';
import type { CheckoutAttributes, CheckoutListeners } from './attributes.ts';

export type CheckoutProps = Omit<HTMLAttributes<CheckoutElement>, keyof CheckoutListeners> &
  ClassAttributes<CheckoutElement> &
  CheckoutAttributes &
  CheckoutListeners;

declare module 'preact' {
  namespace createElement.JSX {
    interface IntrinsicElements {
      'turnpike-checkout': CheckoutProps;
    }
  }
}
