import type { Hideable } from '../shared/checkout/frame.ts';
import type { CheckoutEvents, EventName } from '../shared/checkout/page.ts';

/** The attributes of `<turnpike-checkout>`. `button`, `heading` and `amount` hide that part of the form with `none`. */
export type CheckoutAttributes = { [Part in Hideable]?: 'none' | 'auto' | undefined } & {
  /** The session's client secret. A changed one shows another form; without it there is no form. */
  session?: string | undefined;
  /** A language tag such as `pt-BR`. Default: the session's language, then the browser's. */
  locale?: string | undefined;
  /** `light`, `dark` or `auto`, and `compact`, alone or in addition. */
  theme?: string | undefined;
};

/**
 * The element's events as attributes, in the form of React 19, Preact and Svelte 5: `onresult={(event) => …}`. The
 * property `variables` is not an attribute, because an attribute cannot be an object, and the element has no property
 * before `turnpike.js` has run. Set it by a ref.
 */
export type CheckoutListeners = {
  [Name in EventName as `on${Name}`]?: ((event: CheckoutEvents[Name]) => void) | undefined;
};
