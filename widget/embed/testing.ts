import { afterEach, beforeEach, vi } from 'vitest';

/** The origin of the frames in these tests. */
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

/** Gives each test of a file an empty page, and a clock that the test moves. */
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
