import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXCLUDED } from '../device/sources.ts';
import { withoutSources } from './less-of-fingerprint.ts';

const library = readFileSync(new URL(import.meta.resolve('@fingerprintjs/fingerprintjs/dist/fp.esm.js')), 'utf8');

it('takes the excluded sources out of the library’s list, and no others', () => {
  const left = withoutSources(library, EXCLUDED);
  for (const name of EXCLUDED) expect(left).not.toMatch(new RegExp(`^ +${name}: \\w+,$`, 'm'));
  expect(library.split('\n').length).toBe(left.split('\n').length);
  expect(left).toMatch(/^ +canvas: getCanvasFingerprint,$/m);
});

it('refuses a library without such a source', () => {
  expect(() => withoutSources('const sources = {};', ['fonts'])).toThrow('lists its source fonts');
});
