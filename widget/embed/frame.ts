import { CHANNEL as channel, type HostMessage, type Unmarked } from '../../shared/checkout/frame.ts';
import { isFrameMessage } from './messages.ts';

export type EventName = 'ready' | 'change' | 'submit' | 'result' | 'error';

type Options = {
  frame: HTMLIFrameElement;
  origin: string;
  /** Whether the frame was in the page before us, so that it may stand already. */
  adopted: boolean;
  /** The `connect` message, as the page wants the form now. */
  wishes(): Unmarked<HostMessage>;
  emit(event: EventName, detail?: object): void;
  /** The frame can be seen now, or no longer. */
  show(isShown: boolean): void;
  navigate(url: string): void;
};

const CONNECT_EVERY_MS = 250;
/** How long a frame may show nothing; shorter once it has loaded, for then it is an error page. */
const UNSEEN_MS = 10_000;
const UNSEEN_AFTER_LOAD_MS = 3000;
/** How long a form that is seen may wait for its script. */
const LIFELESS_MS = 20_000;
/** A frame that does not come is put in again as often; one that comes lifeless, half as often. */
const FAILURES = 3;
const MAX_HEIGHT_PX = 10_000;

/**
 * Brings a frame to life: shows it once it stands, connects until it answers, keeps its height, and passes its events on. One
 * that does not come is loaded again, after a pause or when the device is online again. Returns how to stop and send.
 */
export function attend({ frame, origin, adopted, wishes, emit, show, navigate }: Options): {
  send(message: Unmarked<HostMessage>): void;
  stop(): void;
} {
  let connecting: ReturnType<typeof setTimeout> | undefined;
  let limit: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  // An adopted frame may have said so before we listened.
  let painted = adopted;
  let spoken = false;
  let alive = false;
  let outdated = false;

  const send = (message: Unmarked<HostMessage>) => frame.contentWindow?.postMessage({ channel, ...message }, origin);
  const rest = () => {
    clearInterval(connecting);
    clearTimeout(limit);
  };
  const wait = (ms: number, then = fail) => {
    clearTimeout(limit);
    limit = setTimeout(then, ms);
  };
  const connect = () => {
    alive = false;
    clearInterval(connecting);
    connecting = setInterval(() => send(wishes()), CONNECT_EVERY_MS);
    send(wishes());
  };
  const appear = (height: number, isShown = true) => {
    painted = isShown;
    setHeight(height);
    frame.style.visibility = isShown ? '' : 'hidden';
    show(isShown);
  };
  // Another document is in the frame. Ours has said so before it was whole; any other is an error page, or was there before us.
  const loaded = () => {
    if (!spoken) {
      connect();
      wait(painted ? LIFELESS_MS : UNSEEN_AFTER_LOAD_MS);
    }
    spoken = false;
  };
  const load = () => {
    rest();
    // Taken out and put in again it starts afresh, and the back button knows nothing of it.
    frame.before(frame);
    wait(UNSEEN_MS);
  };
  const online = () => {
    if (painted) return;
    failures = 0;
    load();
  };
  function fail(): void {
    rest();
    failures += painted ? 2 : 1;
    spoken = alive = false;
    appear(0, false);
    if (failures < FAILURES) wait(failures * failures * 1000, load);
    else emit('error', { code: 'frame_timeout', message: 'The checkout did not load' });
  }

  addEventListener('message', hear);
  frame.addEventListener('load', loaded);
  addEventListener('online', online);
  wait(painted ? LIFELESS_MS : UNSEEN_MS);
  // Before its first document a frame is of no origin, and nothing could be sent to it.
  if (adopted && frame.contentDocument?.URL !== 'about:blank') connect();

  // The sender first, then its origin, then the shape.
  function hear({ source, origin: sender, data }: MessageEvent<unknown>): void {
    if (source !== frame.contentWindow || sender !== origin || !isFrameMessage(data)) return;
    switch (data.type) {
      case 'painted':
        spoken = true;
        appear(data.height);
        connect();
        wait(LIFELESS_MS);
        break;
      case 'ready':
        rest();
        failures = 0;
        appear(data.height);
        // One that was in the page before us has its name from there.
        if (!adopted && data.title) frame.title = data.title;
        if (!alive) emit('ready');
        alive = true;
        // It may have read the session before the page said that it changed.
        if (outdated) send({ type: 'update' });
        outdated = false;
        break;
      case 'resize':
        setHeight(data.height);
        break;
      case 'navigate':
        leave(data.url);
        break;
      case 'submit':
        emit('submit');
        break;
      default:
        emit(data.type, data.detail);
    }
  }

  // One that is not laid out yet, or is hidden, has no height to take: that of before stays.
  function setHeight(height: number): void {
    if (height || !painted) frame.style.height = `${Math.min(height, MAX_HEIGHT_PX)}px`;
  }

  // The frame may send the whole page away, but only to its own server.
  function leave(url: string): void {
    if (url.startsWith(`${origin}/`) && !/[\s\\]/.test(url)) navigate(url);
    else emit('error', { code: 'navigate_refused', message: 'The checkout may not leave' });
  }

  return {
    // A frame that is not alive yet hears the page's wishes when it connects, and of an update when it is ready.
    send: (message) => {
      if (alive) send(message);
      else if (message.type === 'update') outdated = true;
    },
    stop() {
      rest();
      removeEventListener('message', hear);
      frame.removeEventListener('load', loaded);
      removeEventListener('online', online);
    },
  };
}
