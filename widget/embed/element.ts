import { CHANNEL as channel, HIDEABLE, type Variables } from '../../shared/checkout/frame.ts';
import type { CheckoutElement } from '../../shared/checkout/page.ts';
import { postToApp } from '../webview.ts';
import { connectFrame } from './frame.ts';

export const TAG = 'turnpike-checkout';

/** Defines `<turnpike-checkout>`, whose frames come from `origin`. Throws if it is defined already. */
export function defineElement(origin: string): void {
  // A constructed style sheet, because the shop's policy may forbid style elements and attributes. The shop's own rules take precedence
  // over it. `column-rule-color` draws nothing here: its computed value contains the lightness of the text's colour.
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
      // A property that was set before the element was defined hides the accessors of the class.
      const { variables } = this;
      Reflect.deleteProperty(this, 'variables');
      this.#variables = variables;
      this.#shadow.adoptedStyleSheets = [sheet];
      this.#shadow.append(this.#fallback);
      // The page's background may have changed if its text gets another colour, or if the element becomes visible.
      this.#sight.observe(this);
      this.#shadow.addEventListener('transitionend', this.#follow);
      // While the page is being parsed, the children of the element are complete only if a node follows the element.
      let end: Node | null = this;
      while (end && !end.nextSibling) end = end.parentNode;
      if (document.readyState === 'loading' && !end) {
        document.addEventListener('DOMContentLoaded', this.#open);
      } else this.#open();
    }

    disconnectedCallback(): void {
      this.#close();
    }

    // With this method, `moveBefore` does not reload the frame.
    connectedMoveCallback(): void {}

    // Another language or theme keeps the frame, so that typed values stay. Another session gets another frame.
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
      // Not before it is connected: an element that was in the page before this script gets its attributes first.
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

    // Light unless the page says otherwise: the frame is transparent, and must be readable on the page's background.
    get #theme(): string {
      const theme = this.getAttribute('theme') ?? '';
      let hidden = '';
      for (const part of HIDEABLE) if (this.matches(`[${part}=none]`)) hidden += ` no-${part}`;
      // An adopted frame keeps the appearance of its own address unless the element sets another one.
      if (!this.#own && !theme) return hidden;
      let [scheme = 'light'] = /dark|auto/.exec(theme) ?? [];
      // Light text means a dark page. If the lightness is between both or unknown, the form stays `auto`, with its own background.
      if (scheme === 'auto') {
        const lightness = Number(getComputedStyle(this.#fallback).columnRuleColor.split(/[( ]/)[1]);
        if (lightness > 70) scheme = 'dark';
        if (lightness < 45) scheme = 'light';
      }
      return scheme + (/compact/.test(theme) ? ' compact' : '') + hidden;
    }

    // A frame of another session than the element's shows another order, so it is removed.
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
      // Invisible until it has content, and not reached with the Tab key. It takes no room in the page but has a size, so that browsers
      // draw its content meanwhile.
      frame.title = 'Checkout';
      frame.style.cssText = 'display:block;position:absolute;visibility:hidden;width:100%;height:600px;border:0';
      this.#shadow.append(frame);
      return frame;
    }
  }

  customElements.define(TAG, TurnpikeCheckout);
}
