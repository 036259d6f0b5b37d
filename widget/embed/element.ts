import { CHANNEL as channel, HIDEABLE, type Variables } from '../../shared/checkout/frame.ts';
import type { CheckoutElement } from '../../shared/checkout/page.ts';
import { postToApp } from '../webview.ts';
import { connectFrame } from './frame.ts';

export const TAG = 'turnpike-checkout';

/** Defines `<turnpike-checkout>`, whose frames come from `origin`. Throws if it is defined already. */
export function defineElement(origin: string): void {
  // The weakest of rules, so that the shop's own win; a style element or attribute its policy may forbid. No element has a rule
  // between columns here: its colour tells the lightness of the text's, however the page writes it.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    ':host(:not([hidden])){display:block;position:relative}*{transition:color 1ms;column-rule-color:lab(from currentcolor l 0 0)}',
  );

  class TurnpikeCheckout extends HTMLElement implements CheckoutElement {
    static observedAttributes = ['session', 'locale', 'theme', ...HIDEABLE];
    result: CheckoutElement['result'];
    #variables: Variables | undefined;
    #connection: ReturnType<typeof connectFrame> | undefined;
    #shadow = this.attachShadow({ mode: 'open' });
    #fallback = document.createElement('slot');
    #own: HTMLIFrameElement | undefined;
    #follow = (): void => this.#connection?.follow();
    #sight = new ResizeObserver(this.#follow);

    get variables(): Variables | undefined {
      return this.#variables;
    }

    set variables(variables) {
      this.#variables = variables;
      this.#follow();
    }

    connectedCallback(): void {
      // What was set before we were defined hides what we do with it.
      const { variables } = this;
      Reflect.deleteProperty(this, 'variables');
      this.#variables = variables;
      this.#shadow.adoptedStyleSheets = [sheet];
      this.#shadow.append(this.#fallback);
      // The page's text has another colour, or the element is seen for the first time or again: its ground may be another.
      this.#sight.observe(this);
      this.#shadow.addEventListener('transitionend', this.#follow);
      // While the page is being read, our children may not be there yet: they are once anything comes after us.
      let end: Node | null = this;
      while (end && !end.nextSibling) end = end.parentNode;
      if (document.readyState === 'loading' && !end) {
        document.addEventListener('DOMContentLoaded', this.#open);
      } else this.#open();
    }

    disconnectedCallback(): void {
      this.#close();
    }

    // With this, `moveBefore` moves the frame alive.
    connectedMoveCallback(): void {}

    // Another language or theme is followed in place, so that nothing typed gets lost; another session is another frame.
    attributeChangedCallback(name: string, before: string | null, after: string | null): void {
      if (before === after) return;
      if (name === 'session') {
        this.#close();
        this.#open();
      } else {
        this.#follow();
      }
    }

    update(): void {
      this.#connection?.send('update');
    }

    submit(): void {
      this.#connection?.send('submit');
    }

    #open = (): void => {
      // Not before it was put in: an element that was in the page before us gets its attributes first.
      if (!this.#fallback.isConnected || this.#connection) return;
      const frame = this.#adopted() ?? this.#create();
      if (!frame) return;
      this.#connection = connectFrame(
        frame,
        origin,
        !this.#own,
        () => ({
          type: 'connect',
          variables: this.#variables,
          theme: this.#theme,
          locale: this.getAttribute('locale'),
        }),
        (event, detail) => {
          if (event === 'result') Object.assign(this, { result: detail });
          postToApp(window, { channel, type: event, detail });
          this.dispatchEvent(new CustomEvent(event, { detail }));
        },
        (isShown) => {
          this.#fallback.hidden = isShown;
        },
      );
    };

    #close(): void {
      this.#connection?.stop();
      this.#own?.remove();
      this.#connection = this.#own = this.result = undefined;
      this.#fallback.hidden = false;
    }

    // Light unless the page says otherwise: the frame is see-through, and must be readable on the page that it stands on.
    get #theme(): string {
      const theme = this.getAttribute('theme') ?? '';
      let hidden = '';
      for (const part of HIDEABLE) if (this.matches(`[${part}=none]`)) hidden += ` no-${part}`;
      // An adopted frame has its looks from its own address unless the element says others.
      if (!this.#own && !theme) return hidden;
      let [scheme = 'light'] = /dark|auto/.exec(theme) ?? [];
      // Light text stands on a dark page. If it is neither, or cannot be read, the form stays `auto`, with a ground of its own.
      if (scheme === 'auto') {
        const lightness = Number(getComputedStyle(this.#fallback).columnRuleColor.split(/[( ]/)[1]);
        if (lightness > 70) scheme = 'dark';
        if (lightness < 45) scheme = 'light';
      }
      return scheme + (/compact/.test(theme) ? ' compact' : '') + hidden;
    }

    // A frame of another session than the element's shows another order: it goes.
    #adopted(): HTMLIFrameElement | undefined {
      const session = this.getAttribute('session');
      let adopted: HTMLIFrameElement | undefined;
      for (const frame of this.querySelectorAll<HTMLIFrameElement>(`iframe[src^="${origin}/"]`)) {
        if (!adopted && frame.src.endsWith(session ? `#${session}` : '')) adopted = frame;
        else frame.remove();
      }
      return adopted;
    }

    #create(): HTMLIFrameElement | undefined {
      const session = this.getAttribute('session');
      if (!session) return undefined;
      const locale = this.getAttribute('locale');
      const frame = document.createElement('iframe');
      this.#own = frame;
      const query = new URLSearchParams({
        ...(locale && { locale }),
        theme: this.#theme,
        ...this.#variables,
      });
      frame.src = `${origin}/checkout/${session.split('.')[0]}?${query}#${session}`;
      // Not seen before it has something to show, nor stepped into with the Tab key. It takes no room in the page, but has a size:
      // browsers draw what is inside of it meanwhile.
      frame.title = 'Checkout';
      frame.style.cssText = 'display:block;position:absolute;visibility:hidden;width:100%;height:600px;border:0';
      this.#shadow.append(frame);
      return frame;
    }
  }

  customElements.define(TAG, TurnpikeCheckout);
}
