import { CHANNEL as channel, type FrameMessage, type HostMessage, type Unmarked } from '../../shared/checkout/frame.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { postToApp } from '../webview.ts';

/** The page's settings of the form's appearance and language, not checked yet. */
export type PageSettings = { variables?: unknown; theme?: unknown; locale?: unknown };

type Handlers = {
  /** The height of the form, in CSS pixels, and its title. */
  ready(): Extract<Unmarked<FrameMessage>, { type: 'ready' }>;
  /** The page sends its settings: at first, and whenever it changes them. */
  connected(settings: PageSettings): void;
  update(): void;
  submit(): void;
};

/** Sends the page around the form an event. */
export type Post = (message: Unmarked<FrameMessage>) => void;

/**
 * Communicates with the page that contains the frame, after a check of that page: the sender, then its origin, then the
 * shape of the message.
 */
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

/** The hosted page has no page around it. Only the app around it gets its events. */
export function hostedBridge(self: Window): Post {
  return (message) => postToApp(self, { channel, ...message });
}

function isHostMessage(data: unknown): data is HostMessage {
  return isObject(data) && data.channel === channel && /^(connect|update|submit)$/.test(String(data.type));
}

/**
 * Sets the shop's CSS variables and removes those that it or the address set before, by the CSSOM, because the page's
 * policy forbids style attributes. Without variables from the shop all stay.
 */
export function setVariables(root: HTMLElement, variables: unknown): void {
  if (!variables) return;
  root.ownerDocument.getElementById('variables')?.remove();
  root.style.cssText = '';
  for (const [name, value] of Object.entries(variables)) {
    if (/^--turnpike-[a-z-]+$/.test(name) && typeof value === 'string') root.style.setProperty(name, value);
  }
}

/** Shows the form in another theme, and without the parts that its tokens name. Unknown tokens are ignored. */
export function setTheme(root: HTMLElement, theme: unknown): void {
  if (!theme || typeof theme !== 'string') return;
  const [known] = /\b(light|dark|auto)\b/.exec(theme) ?? [];
  root.dataset.hide = `${theme.match(/no-\w+/g)}`;
  const compact = /\bcompact\b/.test(theme);
  if (known) root.dataset.theme = known;
  if (known || compact) root.classList.toggle('compact', compact);
}
