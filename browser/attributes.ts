import type { Hideable } from '../shared/checkout/frame.ts';
import type { CheckoutEvents, EventName } from '../shared/checkout/page.ts';

/** The attributes of `<turnpike-checkout>`. `button`, `heading` and `amount` leave that part out of the form with `none`. */
export type CheckoutAttributes = { [Part in Hideable]?: 'none' | 'auto' | undefined } & {
  /** The session's client secret. Another one is another form; without one there is none. */
  session?: string | undefined;
  /** A language tag such as `pt-BR`; without it the session's, then the browser's. */
  locale?: string | undefined;
  /** `light`, `dark` or `auto`, and `compact` beside it or alone. */
  theme?: string | undefined;
};

/**
 * Its events as attributes, in the form of React 19, Preact and Svelte 5: `onresult={(event) => …}`. The property `variables` is
 * not among the attributes: an object cannot be one, and before `turnpike.js` has run the element has no property. Set it by a ref.
 */
export type CheckoutListeners = {
  [Name in EventName as `on${Name}`]?: ((event: CheckoutEvents[Name]) => void) | undefined;
};
