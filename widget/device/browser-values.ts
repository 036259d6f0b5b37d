import type { Device } from '../../shared/checkout/pay.ts';

/** The sizes that 3-D Secure has for its window (EMV codes), largest first; `05`, the full screen, is for a page of our own. */
const WINDOWS = [
  ['03', 500, 600],
  ['04', 600, 400],
  ['02', 390, 400],
  ['01', 250, 400],
] as const;

/** What the browser tells at once. A value that cannot be read is left out. */
export function readBrowserValues(self: Window): Device {
  const { screen } = self;
  return {
    browser_lang: attempt(() => self.navigator.language || undefined),
    time_zone: attempt(() => Intl.DateTimeFormat().resolvedOptions().timeZone || undefined),
    resolution: attempt(() => `${screen.width}x${screen.height}`),
    color_depth: attempt(() => String(screen.colorDepth)),
    challenge_window_size: attempt(() => windowSize(self)),
  };
}

/** Reads a value; undefined when that fails. */
export function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

// A frame is as high as its form: what the shopper can see of it is bounded by the screen.
function windowSize(self: Window): Device['challenge_window_size'] {
  if (self.parent === self) return '05';
  const fits = WINDOWS.find(([, width, height]) => self.innerWidth >= width && self.screen.availHeight >= height);
  return fits?.[0] ?? '01';
}
