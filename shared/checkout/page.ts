import type { ChangeDetail, ErrorDetail, FieldDetail, Hideable, ResultDetail, Variables } from './frame.ts';

/** The details of a checkout's events, by name. */
export type EventDetails = {
  ready: null;
  focus: FieldDetail;
  blur: FieldDetail;
  change: ChangeDetail;
  escape: null;
  submit: null;
  result: ResultDetail;
  error: ErrorDetail;
};
export type EventName = keyof EventDetails;

/** The events of `<turnpike-checkout>`. They do not bubble. */
export type CheckoutEvents = { [Name in EventName]: CustomEvent<EventDetails[Name]> };

/** The script interface of `<turnpike-checkout>`. */
export interface CheckoutElement extends HTMLElement {
  /** CSS variables of the form, `--turnpike-…` by name. */
  variables: Variables | undefined;
  /** The data of the last `result` of the session in the form, for listeners that were added later. */
  readonly result: ResultDetail | undefined;
  /** Makes the form read the session again, after the shop changed its amount. */
  update(): void;
  /** Presses the pay button of the form. */
  submit(): void;
  addEventListener<Name extends keyof ElementEvents>(
    type: Name,
    listener: (this: CheckoutElement, event: ElementEvents[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Name extends keyof ElementEvents>(
    type: Name,
    listener: (this: CheckoutElement, event: ElementEvents[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

/** Its own events and those of every element. Its own events take precedence. */
type ElementEvents = Omit<HTMLElementEventMap, EventName> & CheckoutEvents;

/** A web font of the shop for a form in a frame: docs/appearance.md. */
export type Font = {
  family: string;
  /** An https address. */
  src: string;
  weight?: string;
  style?: 'normal' | 'italic';
  sizeAdjust?: string;
  ascentOverride?: string;
  descentOverride?: string;
  lineGapOverride?: string;
};
/**
 * The tokens of the `theme` attribute (light, dark or auto, and compact), or an object with the theme, the form's CSS
 * variables and the fonts that they name.
 */
export type Appearance = string | { theme?: string; compact?: boolean; variables?: Variables; fonts?: readonly Font[] };
/** `none` hides a part; any other value shows it. */
export type Changes = { locale?: string; appearance?: Appearance } & { [Part in Hideable]?: 'none' | 'auto' };
export type CheckoutOptions = Changes & { session: string };

/** A checkout that was created by script. All methods except `mount` may be called at any time and repeatedly. */
export type Handle = {
  /** Puts the checkout into an element, or into the first match of a selector. Throws if there is none. */
  mount(target: string | Element): Handle;
  on<Name extends EventName>(event: Name, listener: (detail: EventDetails[Name]) => void): Handle;
  off<Name extends EventName>(event: Name, listener: (detail: EventDetails[Name]) => void): Handle;
  /** Makes the form read the session again; changes apply in place. Typed text stays. */
  update(changes?: Changes): Handle;
  submit(): Handle;
  unmount(): Handle;
};

/** One problem of the page, and the line that fixes it. */
export type Finding = { code: string; message: string; fix: string };

/** The globals of `turnpike.js`. */
export type Turnpike = {
  checkout(options: CheckoutOptions): Handle;
  /**
   * Searches for problems that keep the checkout from working on this page, and prints each with its correction to the
   * console.
   */
  doctor(): Promise<Finding[]>;
};

declare global {
  /** Available once `turnpike.js` has run. */
  var Turnpike: Turnpike | undefined;
  interface Window {
    Turnpike?: Turnpike;
  }
  interface HTMLElementTagNameMap {
    'turnpike-checkout': CheckoutElement;
  }
}
