import { createGunzip, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compressEnding, gzipWith } from './assets.ts';

const page = `<p>${'ã €'.repeat(20_000)}</p>`;
const ending = compressEnding('<p>the end, once more: the end</p>');

it('makes of a page and its ending one text', () => {
  expect(gunzipSync(gzipWith(page, ending)).toString()).toBe(page + ending.text);
  expect(gunzipSync(gzipWith('', ending)).toString()).toBe(ending.text);
});

it('lets the page be read before the ending is there', async () => {
  const whole = gzipWith('<p>what is seen first</p>', ending);
  const reader = createGunzip();
  const crcAndLength = 8;
  reader.write(whole.subarray(0, whole.length - ending.deflated.length - crcAndLength));
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  reader.once('data', resolve);
  expect((await promise).toString()).toBe('<p>what is seen first</p>');
});
