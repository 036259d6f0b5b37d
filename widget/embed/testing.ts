import { afterEach, beforeEach, vi } from 'vitest';

/** Where the frames of these tests come from. */
export const RELAY = 'https://pay.example';

/** Posts a message to the page as a frame does, or another `source`. */
export function postFrom(
  frame: HTMLIFrameElement,
  data: unknown,
  origin = RELAY,
  source: unknown = frame.contentWindow,
): void {
  const event = new MessageEvent('message', { data, origin });
  Object.defineProperty(event, 'source', { value: source });
  dispatchEvent(event);
}

export const message = (type: string, rest = {}) => ({ channel: 'turnpike', type, ...rest });

/** Every test of this file has an empty page and a clock that it moves itself. */
export function startClean(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
      },
    );
    document.body.replaceChildren();
  });
  afterEach(() => vi.useRealTimers());
}
