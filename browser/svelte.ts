import type { HTMLAttributes } from 'svelte/elements';
import type { CheckoutElement } from '../shared/checkout/page.ts';
import type { CheckoutAttributes, CheckoutListeners } from './attributes.ts';

export type CheckoutProps = Omit<HTMLAttributes<CheckoutElement>, keyof CheckoutListeners> &
  CheckoutAttributes &
  CheckoutListeners;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'turnpike-checkout': CheckoutProps;
  }
}
