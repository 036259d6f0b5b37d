// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { readBrowserValues } from './device-reader.ts';

function frameWindow(): Window {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  if (!frame.contentWindow) throw new Error('no window');
  return frame.contentWindow;
}

it('reads the values that need no waiting', () => {
  expect(readBrowserValues(window)).toMatchObject({
    browser_lang: 'en-US',
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    resolution: `${screen.width}x${screen.height}`,
    color_depth: String(screen.colorDepth),
  });
});

it('leaves out values that cannot be read', () => {
  const self = frameWindow();
  Object.defineProperty(self, 'navigator', {
    get: () => {
      throw new Error('denied');
    },
  });
  expect(readBrowserValues(self).browser_lang).toBeUndefined();
  expect(readBrowserValues(self).time_zone).toBeDefined();
});

it('returns the largest 3-D Secure window that fits', () => {
  const self = frameWindow();
  const sized = (innerWidth: number, availHeight: number) => {
    Object.defineProperty(self, 'innerWidth', { value: innerWidth, configurable: true });
    Object.defineProperty(self, 'screen', { value: { availHeight }, configurable: true });
    return readBrowserValues(self).challenge_window_size;
  };
  expect(sized(1200, 900)).toBe('03');
  expect(sized(700, 500)).toBe('04');
  expect(sized(400, 700)).toBe('02');
  expect(sized(320, 600)).toBe('01');
});

it('returns the full screen on a hosted page', () => {
  expect(readBrowserValues(window).challenge_window_size).toBe('05');
});
