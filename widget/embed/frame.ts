import { CHANNEL as channel, type HostMessage, type Unmarked } from '../../shared/checkout/frame.ts';

type Connect = Extract<Unmarked<HostMessage>, { type: 'connect' }>;

const TICK_MS = 250;
/** How long a frame may take to paint; shorter once it has loaded, because then it is an error page. */
const PAINT_TIMEOUT_MS = 10_000;
const PAINT_AFTER_LOAD_TIMEOUT_MS = 3000;
/** How long a visible form may wait for its script. */
const READY_TIMEOUT_MS = 20_000;
/** The maximum failures: a frame that is not painted counts once, one that is not ready twice. */
const MAX_FAILURES = 3;
const MAX_HEIGHT_PX = 10_000;

/**
 * Connects a frame of `origin`: shows it when it is painted, sends `connect` until it answers, sets its height, and emits its events. A frame
 * that does not load is loaded again, after a pause or when the device is online again. An `adopted` frame was in the page before this script,
 * so it may be painted already. `connectMessage` returns the present `connect` message; `show` is called when a frame of our own appears or
 * disappears. The arguments are not an object, because the minifier does not shorten object keys.
 */
export function connectFrame(
  frame: HTMLIFrameElement,
  origin: string,
  adopted: boolean,
  connectMessage: () => Connect,
  emit: (event: string, detail?: unknown) => void,
  show: (isShown: boolean) => void,
): {
  send(type: 'update' | 'submit'): void;
  /** Sends the `connect` message again. */
  follow(): void;
  stop(): void;
} {
  let clock: ReturnType<typeof setInterval> | undefined;
  let failures = 0;
  // An adopted frame may have been painted before this script listened.
  let isVisible = adopted;
  let hasReported = false;
  let isReady = false;
  let isOutdated = false;

  const post = (message: Unmarked<HostMessage>) => frame.contentWindow?.postMessage({ channel, ...message }, origin);
  const connect = () => {
    const wanted = connectMessage();
    // Browsers paint a frame opaque if its colour scheme is not that of its document.
    if (wanted.theme) frame.style.colorScheme = wanted.theme;
    post(wanted);
  };
  // Calls `onTimeout` after `ms`, a multiple of the tick, unless the frame is ready before. With `sendsConnect`, the frame has a document
  // of ours, which gets `connect` with every tick.
  const startTimer = (ms: number, sendsConnect: boolean, onTimeout = fail) => {
    isReady = hasReported = false;
    const tick = () => {
      if (sendsConnect) connect();
      if (!ms) onTimeout();
      ms -= TICK_MS;
    };
    clearInterval(clock);
    clock = setInterval(tick, TICK_MS);
    tick();
  };
  const setVisible = (height: number, isShown = true) => {
    isVisible = isShown;
    setHeight(height);
    frame.style.visibility = isShown ? '' : 'hidden';
    if (adopted) return;
    frame.style.position = '';
    show(isShown);
  };
  // The frame has loaded a document. Ours has reported earlier; any other one is an error page, or was loaded before this script.
  const loaded = () => {
    if (!hasReported) startTimer(isVisible ? READY_TIMEOUT_MS : PAINT_AFTER_LOAD_TIMEOUT_MS, adopted);
    hasReported = false;
  };
  const load = () => {
    // Moving the frame reloads it without an entry in the history.
    frame.before(frame);
    startTimer(PAINT_TIMEOUT_MS, false);
  };
  const online = () => {
    if (isVisible) return;
    failures = 0;
    load();
  };
  function fail(): void {
    clearInterval(clock);
    failures += isVisible ? 2 : 1;
    setVisible(0, false);
    if (failures < MAX_FAILURES) startTimer(failures * failures * 1000, false, load);
    else emit('error', { code: 'frame_timeout', message: 'Checkout failed' });
  }

  addEventListener('message', onMessage);
  frame.addEventListener('load', loaded);
  addEventListener('online', online);
  // Before its first document a frame has no origin, and a message to it would be lost.
  startTimer(adopted ? READY_TIMEOUT_MS : PAINT_TIMEOUT_MS, adopted && frame.contentDocument?.URL !== 'about:blank');

  // Only messages of this frame and our origin count. Messages with an address or a height concern the frame; all others are events of
  // the form.
  function onMessage({ source, origin: sender, data }: MessageEvent<unknown>): void {
    const { channel: mark, type, height, title, url, detail }: Record<string, unknown> = Object(data);
    if (source !== frame.contentWindow || sender !== origin || mark !== channel) return;
    if (type === 'navigate') leave(`${url}`);
    else if (typeof height === 'number') {
      if (type === 'painted') {
        setVisible(height);
        startTimer(READY_TIMEOUT_MS, true);
        hasReported = true;
      } else if (type === 'ready') {
        clearInterval(clock);
        failures = 0;
        setVisible(height);
        // An adopted frame keeps the title from its page.
        if (!adopted && title) frame.title = `${title}`;
        if (!isReady) emit('ready');
        isReady = true;
        // The form may have read the session before the page's update.
        if (isOutdated) post({ type: 'update' });
        isOutdated = false;
      } else setHeight(height);
    } else {
      // Without a form, only the page of an unknown session sends events.
      if (!isReady) {
        clearInterval(clock);
        hasReported = true;
      }
      emit(`${type}`, detail);
    }
  }

  // A frame that is hidden or not laid out yet has no height: the previous one stays.
  function setHeight(height: number): void {
    if (height || !isVisible) frame.style.height = `${Math.min(height, MAX_HEIGHT_PX)}px`;
  }

  // The frame may send the whole page away, but only to its own server.
  function leave(url: string): void {
    if (url.startsWith(`${origin}/`)) location.assign(url);
    else emit('error', { code: 'navigate_refused', message: 'Checkout failed' });
  }

  return {
    // A frame that is not ready gets the message when it connects.
    follow() {
      if (isReady) connect();
    },
    // A frame that is not ready gets the update when it is.
    send(type) {
      if (isReady) post({ type });
      else isOutdated ||= type === 'update';
    },
    stop() {
      clearInterval(clock);
      removeEventListener('message', onMessage);
      frame.removeEventListener('load', loaded);
      removeEventListener('online', online);
    },
  };
}
