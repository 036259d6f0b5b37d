import { expect, it } from 'vitest';
import { packagesOf } from './packages.ts';

it('names packages once, scoped and nested ones too', () => {
  const modules = [
    '/home/me/turnpike/node_modules/preact/dist/preact.mjs',
    '/home/me/turnpike/node_modules/preact/hooks/dist/hooks.mjs',
    '/home/me/turnpike/node_modules/@fingerprintjs/fingerprintjs/dist/fp.esm.js',
    '/home/me/turnpike/node_modules/a/node_modules/b/index.js',
  ];
  expect(packagesOf(modules)).toEqual([
    'node_modules/@fingerprintjs/fingerprintjs',
    'node_modules/a/node_modules/b',
    'node_modules/preact',
  ]);
});

it('knows no package of our own modules, nor of virtual ones', () => {
  expect(packagesOf(['/home/me/turnpike/widget/form/main.tsx', '\0virtual:phone-zones'])).toEqual([]);
});
