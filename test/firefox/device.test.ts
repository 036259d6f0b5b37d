import { afterAll, beforeAll, expect, it } from 'vitest';
import { firefoxWith, openFirefoxPage } from '../support/browsers/firefox.ts';
import { serveDevicePage } from '../support/browsers/serve-device-page.ts';

const browser = firefoxWith({});

let served: Awaited<ReturnType<typeof serveDevicePage>>;
beforeAll(async () => {
  served = await serveDevicePage();
});
afterAll(() => served.close());

it('reads in Firefox the fingerprint that the library reads in one go', async () => {
  const { page, complaints } = await openFirefoxPage(browser());
  await page.goto(served.url);
  const [ours, library] = await page.evaluate(async () => [await window.device.ours(), await window.device.library()]);
  expect(ours).toMatch(/^[0-9a-f]{32}$/);
  expect(ours).toBe(library);
  expect(complaints).toEqual([]);
});
