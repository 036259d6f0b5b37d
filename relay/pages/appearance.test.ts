import { describe, expect, it } from 'vitest';
import { appearanceOf, variablesRule } from './appearance.ts';

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
