import type { FrameMessage, HostMessage, Unmarked } from '../../shared/checkout/frame.ts';
import { link } from './messages.ts';

export type EventName = 'ready' | 'change' | 'submit' | 'result' | 'error';

type Options = {
  frame: HTMLIFrameElement;
  origin: string;
  /** Whether the frame was in the page before us, so that it may have loaded already. */
  adopted: boolean;
  /** The `connect` message, as the page wants the form now. */
  wishes(): Unmarked<HostMessage>;
  emit(event: EventName, detail?: object): void;
  navigate(url: string): void;
};

const CONNECT_EVERY_MS = 250;
const GIVE_UP_MS = 20_000;
const HIGHEST_PX = 10_000;

/** Brings a frame to life: connects until it answers, keeps its height, and passes its events on. Returns how to stop and send. */
export function attend({ frame, origin, adopted, wishes, emit, navigate }: Options): {
  send(message: Unmarked<HostMessage>): void;
  stop(): void;
} {
  let connecting: ReturnType<typeof setInterval> | undefined;
  let givingUp: ReturnType<typeof setTimeout> | undefined;
  let alive = false;
  const rest = () => {
    clearInterval(connecting);
    clearTimeout(givingUp);
  };
  const { send, close } = link({ frame, origin, hear });
  const start = (loaded: boolean) => {
    rest();
    alive = false;
    // Before its first load our own frame is still of no origin, and nothing could be sent to it.
    if (loaded) connecting = setInterval(() => send(wishes()), CONNECT_EVERY_MS);
    givingUp = setTimeout(() => {
      rest();
      emit('error', { code: 'frame_timeout', message: 'The checkout did not load in time.' });
    }, GIVE_UP_MS);
  };
  const loaded = () => {
    start(true);
    send(wishes());
  };
  frame.addEventListener('load', loaded);
  start(adopted);

  function hear(message: FrameMessage): void {
    switch (message.type) {
      case 'ready':
        rest();
        setHeight(message.height);
        if (!alive) emit('ready');
        alive = true;
        break;
      case 'resize':
        setHeight(message.height);
        break;
      case 'navigate':
        leave(message.url);
        break;
      case 'submit':
        emit('submit');
        break;
      default:
        emit(message.type, message.detail);
    }
  }

  function setHeight(height: number): void {
    frame.style.height = `${Math.min(Math.max(height, 0), HIGHEST_PX)}px`;
  }

  // The frame may send the whole page away, but only to its own relay.
  function leave(url: string): void {
    const relays = url.startsWith(`${origin}/`) && !/[\s\\]/.test(url);
    if (relays) navigate(url);
    else emit('error', { code: 'navigate_refused', message: 'The checkout wanted to leave for another site.' });
  }

  return {
    // A frame that is not alive yet hears the page's wishes when it connects.
    send: (message) => {
      if (alive) send(message);
    },
    stop() {
      rest();
      close();
      frame.removeEventListener('load', loaded);
    },
  };
}
