import { describe, expect, it } from 'vitest';
import { checkLicences, isAllowed } from './licences.ts';

describe('the licence gate', () => {
  it.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-only)', 'MIT OR Apache-2.0', 'MIT AND ISC'])('takes %s', (licence) => {
    expect(isAllowed(licence)).toBe(true);
  });

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
    'mit-like',
    '',
  ])('refuses %j', (licence) => {
    expect(isAllowed(licence)).toBe(false);
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
