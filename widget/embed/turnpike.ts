import type { Variables } from '../../shared/checkout/frame.ts';
import type { Theme } from '../../shared/checkout/view.ts';
import { type CheckoutElement, defineElement, TAG } from './element.ts';
import type { EventName } from './frame.ts';

export type Appearance = { theme?: Theme; variables?: Variables };
export type CheckoutOptions = { session: string; locale?: string; appearance?: Appearance };

/** A checkout made by script. Every method but `mount` may be called at any time, as often as one likes. */
export type Handle = {
  /** Puts the checkout into an element, or the first that a selector finds. Throws where there is none. */
  mount(target: string | Element): Handle;
  on(event: EventName, listener: (detail: unknown) => void): Handle;
  off(event: EventName, listener: (detail: unknown) => void): Handle;
  update(): Handle;
  submit(): Handle;
  unmount(): Handle;
};

export type Turnpike = { checkout(options: CheckoutOptions): Handle };

declare global {
  interface Window {
    Turnpike?: Turnpike;
  }
  interface HTMLElementTagNameMap {
    'turnpike-checkout': CheckoutElement;
  }
}

/** Makes a checkout that is not in the page yet. */
function checkout({ session, locale, appearance = {} }: CheckoutOptions): Handle {
  const element = document.createElement(TAG);
  const listeners = new Map<unknown, (event: Event) => void>();
  const { theme, variables } = appearance;
  for (const [name, value] of Object.entries({ session, locale, theme })) if (value) element.setAttribute(name, value);
  if (variables) element.variables = variables;
  const handle: Handle = {
    mount(target) {
      const place = typeof target === 'string' ? document.querySelector(target) : target;
      if (!place) throw new Error(`Turnpike: nothing in the page matches ${target}`);
      if (element.parentNode !== place) place.append(element);
      return handle;
    },
    on(event, listener) {
      const heard = listeners.get(listener) ?? ((raised: Event) => 'detail' in raised && listener(raised.detail));
      listeners.set(listener, heard);
      element.addEventListener(event, heard);
      return handle;
    },
    off(event, listener) {
      const heard = listeners.get(listener);
      if (heard) element.removeEventListener(event, heard);
      return handle;
    },
    update() {
      element.update();
      return handle;
    },
    submit() {
      element.submit();
      return handle;
    },
    unmount() {
      element.remove();
      return handle;
    },
  };
  return handle;
}

/** The origin that this script came from: that is the relay. */
function ownOrigin(): string | undefined {
  const running = document.currentScript;
  const script =
    running instanceof HTMLScriptElement
      ? running
      : document.querySelector<HTMLScriptElement>('script[src*="/turnpike"]');
  return script?.src ? new URL(script.src).origin : undefined;
}

if (typeof window !== 'undefined' && !window.Turnpike) {
  const origin = ownOrigin();
  if (origin) {
    defineElement(origin);
    window.Turnpike = { checkout };
  }
}
