import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { CheckoutElement } from '../shared/checkout/page.ts';
import type { CheckoutAttributes, CheckoutListeners } from './attributes.ts';

/** If the server renders the element, React 19 drops its listeners: add them to the element by a ref. */
export type CheckoutProps = DetailedHTMLProps<HTMLAttributes<CheckoutElement>, CheckoutElement> &
  CheckoutAttributes &
  CheckoutListeners;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'turnpike-checkout': CheckoutProps;
    }
  }
}
