import { CHANNEL as channel, type FrameMessage, type HostMessage, type Unmarked } from '../../shared/checkout/frame.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { postToApp } from '../webview.ts';

/** What a page may ask of the form's looks and language. None of it has been checked. */
export type PageSettings = { variables?: unknown; theme?: unknown; locale?: unknown };

type Handlers = {
  /** How high the form stands, in CSS pixels, and what it is called. */
  ready(): Extract<Unmarked<FrameMessage>, { type: 'ready' }>;
  /** The page shows its settings: at first, and whenever it changes them. */
  connected(settings: PageSettings): void;
  update(): void;
  submit(): void;
};

/** Tells the page around the form what happened. */
export type Post = (message: Unmarked<FrameMessage>) => void;

/** Talks to the page that holds the frame, once that page has shown that it may: the sender, then its origin, then the shape. */
export function openBridge(self: Window, allowedOrigins: readonly string[], handlers: Handlers): Post {
  let host: string | undefined;
  let waiting: FrameMessage[] = [];
  const send = (message: FrameMessage) => {
    if (host === undefined) waiting.push(message);
    else self.parent.postMessage(message, host);
  };
  self.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source !== self.parent) return;
    if (!allowedOrigins.includes(event.origin) || (host !== undefined && event.origin !== host)) return;
    if (!isHostMessage(event.data)) return;
    if (event.data.type !== 'connect') {
      if (host !== undefined) handlers[event.data.type]();
      return;
    }
    host = event.origin;
    handlers.connected(event.data);
    send({ channel, ...handlers.ready() });
    for (const message of waiting) send(message);
    waiting = [];
  });
  return (message) => send({ channel, ...message });
}

/** A hosted page has no page around it; only the app that shows it may want to know. */
export function hostedBridge(self: Window): Post {
  return (message) => postToApp(self, { channel, ...message });
}

function isHostMessage(data: unknown): data is HostMessage {
  return isObject(data) && data.channel === channel && /^(connect|update|submit)$/.test(String(data.type));
}

/**
 * Sets the shop's CSS variables, and no others that it or the address set before, through the CSSOM: the page's policy forbids
 * style attributes. If the shop says nothing of them all stay.
 */
export function setVariables(root: HTMLElement, variables: unknown): void {
  if (!variables) return;
  root.ownerDocument.getElementById('variables')?.remove();
  root.style.cssText = '';
  for (const [name, value] of Object.entries(variables)) {
    if (/^--turnpike-[a-z-]+$/.test(name) && typeof value === 'string') root.style.setProperty(name, value);
  }
}

/** Shows the form in another theme, and without the parts that its tokens name; anything that is none is ignored. */
export function setTheme(root: HTMLElement, theme: unknown): void {
  if (!theme || typeof theme !== 'string') return;
  const [known] = /\b(light|dark|auto)\b/.exec(theme) ?? [];
  root.dataset.hide = `${theme.match(/no-\w+/g)}`;
  const compact = /\bcompact\b/.test(theme);
  if (known) root.dataset.theme = known;
  if (known || compact) root.classList.toggle('compact', compact);
}
