import { createGunzip, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compressEnding, gzipParts } from './assets.ts';

const first = `<p>${'ã €'.repeat(20_000)}</p>`;
const second = '<p>é</p>';
const ending = compressEnding('<p>the end, once more: the end</p>');

it('makes of parts and an ending one text', () => {
  expect(gunzipSync(gzipParts(first, second, ending)).toString()).toBe(first + second + ending.text);
  expect(gunzipSync(gzipParts('', '', ending)).toString()).toBe(ending.text);
});

it('lets parts be read before the ending is there', async () => {
  const whole = gzipParts('<p>what is seen first</p>', second, ending);
  const reader = createGunzip();
  const crcAndLength = 8;
  reader.write(whole.subarray(0, whole.length - ending.deflated.length - crcAndLength));
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  reader.once('data', resolve);
  expect((await promise).toString()).toBe(`<p>what is seen first</p>${second}`);
});
