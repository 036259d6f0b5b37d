import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brandTheme } from './states/fixtures.ts';

const root = join(import.meta.dirname, '..');
const css = readFileSync(join(root, 'widget/form/styles.css'), 'utf8');
const more = readFileSync(join(root, 'widget/form/flow/views/views.css'), 'utf8');
const page = readFileSync(join(root, 'docs/appearance.md'), 'utf8');

/** The values that a rule of the style sheet sets, by variable. */
function variablesOf(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  expect(start, selector).toBeGreaterThan(-1);
  const rule = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries(
    [...rule.matchAll(/(--turnpike-[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]),
  );
}

const light = variablesOf(':root');
const dark = { ...light, ...variablesOf(':root[data-theme="dark"]') };
const compact = variablesOf(':root.compact');

/** Follows a variable that is another one by default. */
function colour(theme: Record<string, string>, name: string): string {
  const value = theme[`--turnpike-color-${name}`] ?? '';
  return /^var\(--turnpike-color-(.+)\)$/.exec(value)?.[1] ? colour(theme, value.slice(21, -1)) : value;
}

/** WCAG's contrast of two colours, each `#rgb` or `#rrggbb`. */
function contrast(one: string, other: string): number {
  const [high = 1, low = 1] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const long = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(long.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Usual backgrounds of shops’ pages, and those of browsers for a colour scheme. */
const grounds = { light: ['#fff', '#faf7f0'], dark: ['#121212', '#14171b', '#1c1c1e'] };

for (const [name, theme] of Object.entries({ light, dark })) {
  const behind = [...(name === 'light' ? grounds.light : grounds.dark), colour(theme, 'field')];
  describe(`the ${name} colours`, () => {
    it.each(['text', 'muted', 'placeholder', 'danger', 'success'])(
      'make %s readable on the field and beside it',
      (text) => {
        for (const ground of behind) expect(contrast(colour(theme, text), ground), ground).toBeGreaterThanOrEqual(4.5);
      },
    );

    it('make the button readable', () => {
      expect(contrast(colour(theme, 'on-accent'), colour(theme, 'accent'))).toBeGreaterThanOrEqual(4.5);
    });

    it.each(['border', 'accent', 'focus', 'danger'])('let %s stand out as an edge', (edge) => {
      for (const ground of behind) expect(contrast(colour(theme, edge), ground), ground).toBeGreaterThanOrEqual(3);
    });
  });
}

it('has the same dark colours with data-theme auto', () => {
  expect(variablesOf(':root[data-theme="auto"]')).toEqual(variablesOf(':root[data-theme="dark"]'));
});

it('moves nothing for longer than 200 ms except the waiting spinner', () => {
  const times = [...`${css}${more}`.matchAll(/(transition|animation): (?:(\w+) )?([\d.]+)s/g)];
  expect(times.length).toBeGreaterThan(1);
  for (const [, , moved, seconds] of times) if (moved !== 'turn') expect(Number(seconds)).toBeLessThan(0.2);
});

describe('docs/appearance.md', () => {
  const rows = [...page.matchAll(/^\| `(--turnpike-[\w-]+)` \| `([^`]+)` \| (?:`([^`]+)`)? ?\|/gm)].map(
    ([, name = '', value, inDark]) => [name, { value, dark: inDark ?? value }] as const,
  );

  it('lists every variable with its defaults, and no other', () => {
    const defaults = Object.entries(light).map(([name, value]) => [name, { value, dark: dark[name] }]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(defaults));
  });

  it('lists what is used, and uses what it lists', () => {
    const used = new Set([...`${css}${more}`.matchAll(/var\((--turnpike-[\w-]+)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(rows.map(([name]) => name).sort());
  });

  it('says what compact changes', () => {
    for (const [name, value] of Object.entries(compact)) expect(page).toContain(`\`${name}\` ${value}`);
  });

  it('has the gallery’s own example, whose colours can be read', () => {
    for (const [name, value] of Object.entries(brandTheme)) expect(page).toContain(`'${name}': '${value}',`);
    const theme = { ...light, ...brandTheme };
    expect(contrast(colour(theme, 'on-accent'), colour(theme, 'accent'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colour(theme, 'border'), colour(theme, 'field'))).toBeGreaterThanOrEqual(3);
  });
});
