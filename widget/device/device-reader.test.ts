// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { DeviceReader, type ReadFingerprint } from './device-reader.ts';
import { IdleScheduler } from './scheduler.ts';

const never = () => new Promise<never>(() => {});
const schedulers: IdleScheduler[] = [];
afterEach(() => {
  for (const scheduler of schedulers.splice(0)) scheduler.stop();
  Reflect.deleteProperty(navigator, 'userAgentData');
});

function readerOf(read: ReadFingerprint | undefined, accept?: string) {
  const scheduler = new IdleScheduler(window);
  schedulers.push(scheduler);
  const load = vi.fn(async () => read);
  return { reader: new DeviceReader(window, accept, load, scheduler), load, scheduler };
}

function hints(getHighEntropyValues: () => Promise<object>): void {
  Object.defineProperty(navigator, 'userAgentData', { value: { getHighEntropyValues }, configurable: true });
}

it('returns fingerprint, client hints and the page’s Accept header', async () => {
  hints(async () => ({ platform: 'Linux', unheardOf: 1 }));
  const device = await readerOf(async () => 'f', 'text/html').reader.read();
  expect(device).toMatchObject({
    device_fingerprint: 'f',
    client_hints: { platform: 'Linux' },
    accept: 'text/html',
    browser_lang: 'en-US',
  });
  expect(device.client_hints).not.toHaveProperty('unheardOf');
});

it('returns the values read so far at its time limit', async () => {
  hints(async () => ({ platform: 'Linux' }));
  const device = await readerOf(never).reader.read(5);
  expect(device).toMatchObject({ client_hints: { platform: 'Linux' }, browser_lang: 'en-US' });
  expect(device).not.toHaveProperty('device_fingerprint');
});

it('hurries only once the form needs its values', async () => {
  const { reader, scheduler } = readerOf(async (scheduler) => {
    await scheduler.next();
    return 'f';
  });
  const hurry = vi.spyOn(scheduler, 'hurry');
  document.body.dispatchEvent(new Event('keydown', { bubbles: true }));
  void reader.start();
  await new Promise((done) => setTimeout(done, 0));
  expect(hurry).not.toHaveBeenCalled();
  expect(await reader.read()).toMatchObject({ device_fingerprint: 'f' });
  expect(hurry).toHaveBeenCalled();
});

it('returns the fingerprint although client hints are denied', async () => {
  hints(async () => {
    throw new Error('denied');
  });
  const device = await readerOf(async () => 'f').reader.read();
  expect(device.device_fingerprint).toBe('f');
  expect(device).not.toHaveProperty('client_hints');
});

it('returns no fingerprint if it cannot be read', async () => {
  const { reader } = readerOf(async () => {
    throw new Error('lost');
  });
  expect(await reader.read()).toMatchObject({ browser_lang: 'en-US' });
});

it('returns no fingerprint if its chunk does not load', async () => {
  const { reader, load } = readerOf(undefined);
  await reader.start();
  expect(await reader.read()).toMatchObject({ browser_lang: 'en-US' });
  expect(load).toHaveBeenCalledTimes(1);
});

it('removes its listeners once it has read all values', async () => {
  const { reader, scheduler } = readerOf(async () => 'f');
  const stop = vi.spyOn(scheduler, 'stop');
  await reader.start();
  expect(stop).toHaveBeenCalled();
});
