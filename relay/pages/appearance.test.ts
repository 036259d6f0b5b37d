import { describe, expect, it } from 'vitest';
import { accountRules, appearanceOf, hiddenParts, variablesRule } from './appearance.ts';

describe('the theme of an address', () => {
  it.each([
    [undefined, { theme: 'auto', compact: false }],
    ['dark', { theme: 'dark', compact: false }],
    ['compact  light', { theme: 'light', compact: true }],
    ['compact', { theme: 'auto', compact: true }],
    ['"><script>', { theme: 'auto', compact: false }],
    [['dark', 'light'], { theme: 'auto', compact: false }],
  ])('%j says %j', (theme, appearance) => expect(appearanceOf(theme)).toEqual(appearance));
});

it('the theme of an address names the parts that are left out', () => {
  expect(hiddenParts('dark no-button no-nothing no-amount')).toBe('no-button,no-amount');
  expect([hiddenParts(undefined), hiddenParts('"><no-button'), hiddenParts(['no-button'])]).toEqual(['', '', '']);
});

describe('the theme of an account', () => {
  it.each([
    [undefined, 'dark compact', { theme: 'dark', compact: true }],
    ['light', 'dark', { theme: 'light', compact: false }],
    ['compact', 'dark', { theme: 'dark', compact: true }],
    ['auto', 'dark', { theme: 'auto', compact: false }],
  ])('where the address says %j and the account %j', (asked, usual, appearance) =>
    expect(appearanceOf(asked, usual)).toEqual(appearance),
  );
});

describe('the variables of an account', () => {
  it('hold in every theme where they suit every ground', () => {
    const variables = {
      '--turnpike-color-accent': '#0f5c4d',
      '--turnpike-color-on-accent': '#fff',
      '--turnpike-color-text': 'light-dark(#111, #eee)',
      '--turnpike-radius': '0',
    };
    expect(accountRules(variables)).toBe(
      ':root:root:root{--turnpike-color-accent:#0f5c4d;--turnpike-color-on-accent:#fff;' +
        '--turnpike-color-text:light-dark(#111, #eee);--turnpike-radius:0}',
    );
    expect(accountRules({})).toBe('');
  });

  it.each([
    [undefined, 'light'],
    ['auto compact', 'light'],
    ['dark', 'dark'],
  ])('apply as colours of theme %j when the scheme is %s', (theme, scheme) => {
    const text = '{--turnpike-color-text:#123}';
    expect(accountRules({ '--turnpike-color-text': '#123' }, theme)).toBe(
      `:root:root:root[data-theme="${scheme}"]${text}` +
        `@media (prefers-color-scheme:${scheme}){:root:root:root[data-theme="auto"]${text}}`,
    );
  });
});

describe('the variables of an address', () => {
  const color = (value: unknown) => variablesRule({ '--turnpike-color-accent': value });

  it.each([
    '#1f5eff',
    'rgb(1 2 3 / 50%)',
    'color-mix(in srgb, red 20%, #fff)',
    'clamp(4px, 1vw + 2px, 12px)',
    '"Segoe UI", \'Open Sans\', sans-serif',
    '0',
  ])('may be %s', (value) => expect(color(value)).toBe(`:root:root:root{--turnpike-color-accent:${value}}`));

  it.each([
    'red;color:blue',
    'red}body{display:none',
    '</style><script>',
    'url(//evil.example/x)',
    'URL (x)',
    'image-set("x" 1x)',
    'red/*',
    '\\75rl(x)',
    '"open',
    '"a\'b"',
    'calc(1px',
    '1px)',
    ')(',
    'a\nb',
    '@import',
    '',
    'x'.repeat(201),
    ['red'],
    undefined,
  ])('may not be %j', (value) => expect(color(value)).toBe(''));

  it('are ours alone, and forty at most', () => {
    expect(variablesRule({ color: 'red', '--other': 'red', '--turnpike-X': 'red', locale: 'en' })).toBe('');
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const many = letters.flatMap((one) => [`--turnpike-${one}`, `--turnpike-x${one}`]);
    expect(variablesRule(Object.fromEntries(many.map((name) => [name, '1px']))).match(/1px/g)).toHaveLength(40);
  });
});
