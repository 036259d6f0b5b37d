import type { Appearance, Changes, CheckoutElement, CheckoutOptions, Handle } from '../../shared/checkout/page.ts';
import { defineElement, TAG } from './element.ts';

function change(element: CheckoutElement, { appearance, ...attributes }: Changes & { session?: string }): void {
  for (const [name, value] of Object.entries(attributes)) if (value) element.setAttribute(name, value);
  if (!appearance) return;
  const looks: Exclude<Appearance, string> = typeof appearance === 'string' ? { theme: appearance } : appearance;
  const { theme = element.getAttribute('theme') ?? '', compact = /compact/.test(theme), variables, fonts } = looks;
  if (variables || fonts) element.variables = { ...variables, ...(fonts && { fonts: JSON.stringify(fonts) }) };
  element.setAttribute('theme', theme.replace('compact', '') + (compact ? ' compact' : ''));
}

/** Creates a checkout that is not in the page yet. */
function checkout(options: CheckoutOptions): Handle {
  const element = document.createElement(TAG);
  const listeners = new Map<unknown, (event: CustomEvent) => void>();
  change(element, options);
  const handle: Handle = {
    mount(target) {
      const place = typeof target === 'string' ? document.querySelector(target) : target;
      if (!place) throw new Error(`No ${target}`);
      if (element.parentNode !== place) place.append(element);
      return handle;
    },
    on(event, listener) {
      const heard = listeners.get(listener) ?? ((raised: CustomEvent) => 'detail' in raised && listener(raised.detail));
      listeners.set(listener, heard);
      element.addEventListener(event, heard);
      return handle;
    },
    off(event, listener) {
      const heard = listeners.get(listener);
      if (heard) element.removeEventListener(event, heard);
      return handle;
    },
    update(changes) {
      if (changes) change(element, changes);
      else element.update();
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

/** The origin of this script: that of its element, or of the running code if a module or a shadow root hides the element. */
function ownOrigin(): string | undefined {
  const script = document.currentScript;
  const src = (script && 'src' in script && script.src) || new Error().stack;
  return /https?:\/\/[^\s()/]+/.exec(src ?? '')?.[0];
}

if (globalThis.window && !window.Turnpike) {
  const origin = ownOrigin();
  if (origin) {
    defineElement(origin);
    window.Turnpike = {
      checkout,
      doctor: async () => (await import(/* @vite-ignore */ `${origin}/turnpike-doctor.js`)).doctor(origin),
    };
  }
}
