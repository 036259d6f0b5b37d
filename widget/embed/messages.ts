import { CHANNEL as channel, type FrameMessage, type HostMessage, type Unmarked } from '../../shared/checkout/frame.ts';
import { isObject } from '../../shared/checkout/is-object.ts';

type Link = {
  /** The frame to talk to. */
  frame: HTMLIFrameElement;
  /** The relay's origin; no other is heard or spoken to. */
  origin: string;
  hear(message: FrameMessage): void;
};

/** Talks to one frame: the sender is looked at first, then its origin, then the shape. */
export function link({ frame, origin, hear }: Link): { send(message: Unmarked<HostMessage>): void; close(): void } {
  const listen = (event: MessageEvent<unknown>) => {
    if (event.source !== frame.contentWindow || event.origin !== origin) return;
    if (isFrameMessage(event.data)) hear(event.data);
  };
  addEventListener('message', listen);
  return {
    send: (message) => frame.contentWindow?.postMessage({ channel, ...message }, origin),
    close: () => removeEventListener('message', listen),
  };
}

function isFrameMessage(data: unknown): data is FrameMessage {
  if (!isObject(data) || data.channel !== channel) return false;
  switch (data.type) {
    case 'ready':
    case 'resize':
      return Number.isFinite(data.height);
    case 'change':
    case 'result':
    case 'error':
      return isObject(data.detail);
    case 'navigate':
      return typeof data.url === 'string';
    default:
      return data.type === 'submit';
  }
}
