import { describe, expect, it } from 'vitest';
import { checkLicences, isAllowed, plainLicence } from './licences.ts';

describe('the licence gate', () => {
  it.each(['MIT', '(MIT)', '( MIT OR GPL-3.0-only )', '(GPL-2.0-only) OR ISC', 'MIT OR Apache-2.0', 'MIT AND ISC'])(
    'takes %s',
    (licence) => {
      expect(isAllowed(plainLicence(licence))).toBe(true);
    },
  );

  it.each([
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'LGPL-2.1',
    'MPL-2.0',
    'SSPL-1.0',
    'BUSL-1.1',
    'UNLICENSED',
    'SEE LICENSE IN LICENSE.md',
    'MIT AND GPL-2.0-only',
    'MIT AND (ISC OR GPL-2.0-only)',
    'GPL-2.0-only WITH Classpath-exception-2.0',
    '(MIT OR ISC) AND (GPL-2.0-only OR MIT)',
    'mit-like',
    '()',
    ')MIT(',
    '',
  ])('refuses %j', (licence) => {
    expect(isAllowed(plainLicence(licence))).toBe(false);
  });

  it.each([
    ['((MIT))', 'MIT'],
    [' (MIT  OR ISC)\n', 'MIT OR ISC'],
    ['(MIT OR ISC) AND (0BSD)', '(MIT OR ISC) AND (0BSD)'],
    ['(MIT AND (ISC OR 0BSD))', 'MIT AND (ISC OR 0BSD)'],
    ['M', 'M'],
  ])('reads %j as %j', (written, plain) => {
    expect(plainLicence(written)).toBe(plain);
  });

  it('names every package that it refuses, and what to do', () => {
    const packages = [
      { name: 'good', version: '1.0.0', licence: 'MIT' },
      { name: 'copyleft', version: '2.0.0', licence: 'AGPL-3.0-only' },
      { name: 'silent', version: '3.0.0', licence: undefined },
    ];
    expect(() => checkLicences(packages)).toThrow(
      /Replace them[\s\S]*\n {2}copyleft@2\.0\.0: AGPL-3\.0-only\n {2}silent@3\.0\.0: no licence$/,
    );
    expect(() => checkLicences(packages.slice(0, 1))).not.toThrow();
  });
});
