import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type Asset, report } from './report.ts';

const asset = (rest: Partial<Asset>): Asset => ({ file: 'x.js', part: 'form', lazy: false, code: '', ...rest });
// Without a z: by chance the letters could be `zod`, which no bundle may contain.
const noise = (bytes: number) => randomBytes(bytes).toString('latin1').replaceAll(/z/gi, 'y');
const gzipped = (code: string) => gzipSync(code, { level: 9 }).length;

it('accepts what is within its budget', () => {
  expect(report([asset({ code: 'a();' }), asset({ part: 'loader', code: 'b();' })]).problems).toEqual([]);
});

it('refuses a loader and a form that are too heavy', () => {
  const { problems } = report([asset({ part: 'loader', code: noise(3000) }), asset({ code: noise(16_000) })]);
  expect(problems.join('\n')).toMatch(/loader is .* over its 2.5 KB\nform is .* over its 14 KB/);
  expect(problems.length).toBe(2);
});

it('counts a KB as 1000 bytes', () => {
  let code = noise(2000);
  while (gzipped(code) <= 2500) code += noise(10);
  expect(gzipped(code)).toBeLessThan(2560);
  expect(report([asset({ part: 'loader', code })]).problems.length).toBe(1);
});

it('counts everything loaded at startup together, and nothing loaded later', () => {
  expect(report([asset({ code: noise(8000) }), asset({ code: noise(8000) })]).problems.length).toBe(1);
  expect(report([asset({ code: noise(8000) }), asset({ code: noise(60_000), lazy: true })]).problems).toEqual([]);
});

it.each(['import z from "zod"', 'ua-parser-js', 'import "node:fs"', '/* the relay’s */', '"the Sandbox"'])(
  'refuses %j in a bundle, also in one that is loaded later',
  (code) => expect(report([asset({ code, lazy: true })]).problems.length).toBe(1),
);
