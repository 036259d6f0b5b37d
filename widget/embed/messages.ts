import { CHANNEL, type FrameMessage } from '../../shared/checkout/frame.ts';
import { isObject } from '../../shared/checkout/is-object.ts';

/** Whether what came from the frame has the shape of a message of ours. Who sent it has been looked at before. */
export function isFrameMessage(data: unknown): data is FrameMessage {
  if (!isObject(data) || data.channel !== CHANNEL) return false;
  switch (data.type) {
    case 'painted':
    case 'ready':
    case 'resize':
      return typeof data.height === 'number';
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
