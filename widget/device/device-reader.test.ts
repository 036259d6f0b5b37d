// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { readBrowserValues } from './browser-values.ts';
import { DeviceReader } from './device-reader.ts';

const never = () => new Promise<never>(() => {});

it('reads the values that are there at once', () => {
  expect(readBrowserValues(window)).toMatchObject({
    browser_lang: 'en-US',
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    resolution: `${screen.width}x${screen.height}`,
    color_depth: String(screen.colorDepth),
  });
});

it('leaves out what cannot be read', () => {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const self = frame.contentWindow;
  if (!self) throw new Error('no window');
  Object.defineProperty(self, 'navigator', {
    get: () => {
      throw new Error('denied');
    },
  });
  expect(readBrowserValues(self).browser_lang).toBeUndefined();
  expect(readBrowserValues(self).time_zone).toBeDefined();
});

it('takes the largest 3-D Secure window that fits, and the full screen on a page of its own', () => {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const self = frame.contentWindow;
  if (!self) throw new Error('no window');
  const sized = (innerWidth: number, availHeight: number) => {
    Object.defineProperty(self, 'innerWidth', { value: innerWidth, configurable: true });
    Object.defineProperty(self, 'screen', { value: { availHeight }, configurable: true });
    return readBrowserValues(self).challenge_window_size;
  };
  expect(sized(1200, 900)).toBe('03');
  expect(sized(700, 500)).toBe('04');
  expect(sized(400, 700)).toBe('02');
  expect(sized(320, 600)).toBe('01');
  expect(readBrowserValues(window).challenge_window_size).toBe('05');
});

it('waits for the slow collectors no longer than it is told, and gives what there is', async () => {
  const reader = new DeviceReader(window, async () => ({
    takeFingerprint: () => ({ found: never(), hurry: () => {} }),
    readClientHints: async () => ({ client_hints: { platform: 'Linux' } }),
  }));
  const device = await reader.read(5);
  expect(device.client_hints).toEqual({ platform: 'Linux' });
  expect(device.device_fingerprint).toBeUndefined();
  expect(device.browser_lang).toBe('en-US');
});

it('takes its time until it is asked, then hurries, also when the collectors come only then', async () => {
  const loaded = Promise.withResolvers<void>();
  const hurry = vi.fn();
  const found = Promise.withResolvers<{ device_fingerprint: string }>();
  const reader = new DeviceReader(window, async () => {
    await loaded.promise;
    return { takeFingerprint: () => ({ found: found.promise, hurry }), readClientHints: async () => ({}) };
  });
  void reader.start();
  const device = reader.read(5000);
  hurry.mockImplementation(() => found.resolve({ device_fingerprint: 'f' }));
  loaded.resolve();
  expect((await device).device_fingerprint).toBe('f');

  const early = vi.fn();
  const second = new DeviceReader(window, async () => ({
    takeFingerprint: () => ({ found: never(), hurry: early }),
    readClientHints: async () => ({}),
  }));
  void second.start();
  await Promise.resolve();
  await Promise.resolve();
  expect(early).not.toHaveBeenCalled();
  await second.read(0);
  expect(early).toHaveBeenCalled();
});

it('lets each collector fail for itself', async () => {
  const reader = new DeviceReader(window, async () => ({
    takeFingerprint: () => ({ found: Promise.resolve({ device_fingerprint: 'f' }), hurry: () => {} }),
    readClientHints: () => {
      throw new Error('denied');
    },
  }));
  expect((await reader.read(50)).device_fingerprint).toBe('f');
});

it('goes without them when they do not load, and asks for them once', async () => {
  const load = vi.fn(() => Promise.reject(new Error('offline')));
  const reader = new DeviceReader(window, load);
  await reader.start();
  expect((await reader.read(5)).resolution).toBeDefined();
  expect(load).toHaveBeenCalledTimes(1);
});
