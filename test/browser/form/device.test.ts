import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FONTS } from '../../../widget/device/fonts.ts';
import { CONTEXT_PARAMETERS, EXTENSION_PARAMETERS } from '../../../widget/device/webgl.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { serveDevicePage } from '../../support/browsers/serve-device-page.ts';
import { formIn, openPage, phone, startStack } from '../../support/relays/stack.ts';

let browser: Browser;
let served: Awaited<ReturnType<typeof serveDevicePage>>;
beforeAll(async () => {
  served = await serveDevicePage();
  browser = await sharedChromium();
});
afterAll(() => served.close());

it('reads in steps the same fingerprint as the library in one go', async () => {
  const page = await openFrame();
  const [ours, library] = await page.evaluate(async () => [await window.device.ours(), await window.device.library()]);
  expect(ours).toMatch(/^[0-9a-f]{32}$/);
  expect(ours).toBe(library);
});

it('reads the same when hurried by typing', async () => {
  const page = await openFrame();
  await page.locator('input').pressSequentially('4111');
  const [ours, library] = await page.evaluate(async () => [
    await window.device.hurried(),
    await window.device.library(),
  ]);
  expect(ours).toBe(library);
});

it('reads the same on a device with slow audio rendering', async () => {
  const page = await openFrame();
  const [library, ours] = await page.evaluate(async () => {
    const library = await window.device.library();
    window.device.stallAudio(1);
    return [library, await window.device.ours()];
  });
  expect(ours).toBe(library);
});

it('fails on a device that never renders audio', async () => {
  const page = await openFrame();
  await page.evaluate(() => window.device.stallAudio(Number.POSITIVE_INFINITY));
  await expect(page.evaluate(() => window.device.ours())).rejects.toThrow(/audio/);
});

it('fails once the graphics context is lost', async () => {
  const page = await openFrame();
  await expect(page.evaluate(() => window.device.lostWebGl())).rejects.toThrow(/context was lost/);
});

it('is read in the form although the browser is never idle', async () => {
  const { shopUrl } = await startStack();
  const { page } = await openPage(browser, phone);
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  await page.goto(shopUrl);
  const read = () =>
    formIn(page)
      .locator('body')
      .evaluate(() => performance.getEntriesByName('turnpike-device').length);
  await expect.poll(read).toBe(1);
});

it('distinguishes installed fonts from missing ones', async () => {
  const page = await openFrame();
  const installed = await page.evaluate(async () => {
    const names = ['sans-serif', 'cursive', 'system-ui', 'Arial', 'Times New Roman', 'Courier New', 'No Such Font'];
    return window.device.fonts(names);
  });
  expect(installed.length).toBeGreaterThan(0);
  expect(installed).not.toContain('No Such Font');
});

it('reads the same of WebGL as the library', async () => {
  const page = await openFrame();
  const read = await page.evaluate(() => window.device.webGl());
  expect(read?.ours.parameters.length).toBeGreaterThan(100);
  expect(read?.ours).toEqual(read?.library);
});

describe('the copied lists of the library', () => {
  const library = readFileSync(createRequire(import.meta.url).resolve('@fingerprintjs/fingerprintjs'), 'utf8');
  const listed = (start: string) => {
    const [, list = ''] = new RegExp(`${start}\\[([^\\]]+)\\]`).exec(library.replaceAll(/\/\/.*/g, '')) ?? [];
    return list.split(',').flatMap((item) => item.trim() || []);
  };

  it('have the library’s fonts', () => {
    expect(listed('fontList = ')).toEqual(FONTS.map((font) => `'${font}'`));
  });

  it.each([
    ['validContextParameters', CONTEXT_PARAMETERS],
    ['validExtensionParams', EXTENSION_PARAMETERS],
  ])('have the library’s WebGL values: %s', (name, ours) => {
    expect(new Set(listed(`${name} = new Set\\(`).map(Number))).toEqual(ours);
  });
});

it('leaves no listener, timer or element behind', async () => {
  const page = await openFrame();
  const left = await page.evaluate(async () => {
    const listeners = new Set<string>();
    const timers = new Set<number>();
    const add = window.addEventListener;
    const remove = window.removeEventListener;
    const set = window.setTimeout;
    const clear = window.clearTimeout;
    window.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.add(args[0]);
      return add.apply(window, args);
    };
    window.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.delete(args[0]);
      return remove.apply(window, args);
    };
    Object.assign(window, {
      setTimeout: (run: () => void, ms?: number) => {
        const timer = set(() => {
          timers.delete(timer);
          run();
        }, ms);
        timers.add(timer);
        return timer;
      },
      clearTimeout: (timer: number) => {
        timers.delete(timer);
        clear(timer);
      },
    });
    const before = document.documentElement.outerHTML;
    const taking = window.device.ours();
    const during = listeners.size;
    await taking;
    // Audio has a limit of half a second. The test would wait for a leftover timer.
    while (timers.size > 0) await new Promise((done) => set(done, 50));
    return {
      during,
      listeners: [...listeners],
      timers: timers.size,
      same: document.documentElement.outerHTML === before,
    };
  });
  expect(left.during).toBeGreaterThan(0);
  expect(left).toMatchObject({ listeners: [], timers: 0, same: true });
});

/** A page with the frame's own content security policy. */
async function openFrame(): Promise<Page> {
  const { page, complaints } = await openPage(browser, phone);
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(served.url);
  return page;
}
