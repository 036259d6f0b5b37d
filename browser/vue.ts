import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { Variables } from '../shared/checkout/frame.ts';
import type { CheckoutElement, CheckoutEvents, EventName } from '../shared/checkout/page.ts';
import type { CheckoutAttributes } from './attributes.ts';

type Listeners = {
  [Name in EventName as `on${Capitalize<Name>}`]?: ((event: CheckoutEvents[Name]) => void) | undefined;
};

/** `variables` is a property: `:variables.prop="…"`. */
export type CheckoutProps = PublicProps &
  Omit<HTMLAttributes, keyof Listeners> &
  CheckoutAttributes &
  Listeners & { variables?: Variables | undefined };

type CheckoutComponent = new () => CheckoutElement & {
  $props: CheckoutProps;
  $emit: EmitFn<{ [Name in EventName]: (event: CheckoutEvents[Name]) => void }>;
};

declare module 'vue' {
  interface GlobalComponents {
    'turnpike-checkout': CheckoutComponent;
  }
}
