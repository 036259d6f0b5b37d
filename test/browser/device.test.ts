import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { contentSecurityPolicy } from '../../relay/pages/page.ts';
import { FONTS } from '../../widget/device/fonts.ts';
import { sharedChromium } from '../support/chromium.ts';
import { serve } from '../support/http-server.ts';
import { openPage, phone } from '../support/stack.ts';

const PAGE = '<!doctype html><html lang="pt-BR"><title>x</title><script src="/device.js"></script><input>';

let browser: Browser;
let script: string;
beforeAll(async () => {
  script = await bundled('test/support/device-page.ts');
  browser = await sharedChromium();
});

it('takes piece by piece the fingerprint that the library takes in one go', async () => {
  const page = await openFrame();
  const found = await page.evaluate(async () => {
    const { device_fingerprint } = await window.device.ours();
    return [device_fingerprint, await window.device.whole()];
  });
  expect(found[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(found[0]).toBe(found[1]);
});

it('takes the same in haste, while somebody types', async () => {
  const page = await openFrame();
  await page.locator('input').pressSequentially('4111');
  const found = await page.evaluate(async () => {
    const { device_fingerprint } = await window.device.hurried();
    return [device_fingerprint, await window.device.whole()];
  });
  expect(found[0]).toBe(found[1]);
});

it('tells a font that there is from one that there is not', async () => {
  const page = await openFrame();
  const there = await page.evaluate(async () => {
    const names = ['sans-serif', 'cursive', 'system-ui', 'Arial', 'Times New Roman', 'Courier New', 'No Such Font'];
    return window.device.fonts(names);
  });
  expect(there.length).toBeGreaterThan(0);
  expect(there).not.toContain('No Such Font');
});

it('looks for the fonts that the library looks for', () => {
  const library = createRequire(import.meta.url).resolve('@fingerprintjs/fingerprintjs');
  const [, list = ''] = /fontList = \[([^\]]+)\]/.exec(readFileSync(library, 'utf8')) ?? [];
  expect([...list.matchAll(/^\s*'(.+)'/gm)].map(([, name]) => name)).toEqual(FONTS);
});

it('leaves no listener, no timer and no element behind', async () => {
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
    // Audio gives itself half a second. A timer that stayed would be waited for until the test is over.
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
  const server = await serve((req, res) => {
    const isScript = req.url === '/device.js';
    res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    res.setHeader('Content-Security-Policy', contentSecurityPolicy("'sha256-none'", "'self'"));
    res.end(isScript ? script : PAGE);
  });
  onTestFinished(() => server.close());
  const { page, complaints } = await openPage(browser, phone);
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(server.url);
  return page;
}

async function bundled(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, '../..', entry), formats: ['iife'], name: 'page' },
    },
  });
  const [output] = [built].flat().flatMap((part) => ('output' in part ? part.output : []));
  if (output?.type !== 'chunk') throw new Error(`${entry} was not bundled`);
  return output.code;
}
