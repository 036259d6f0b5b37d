import creditCardType from 'credit-card-type';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import '../card/brand-table.ts';
import { likelyBrand } from '../card/brands.ts';
import { Mark } from './accepted-brands.tsx';
import { allMarks, MarkSymbols } from './mark-symbols.tsx';

it('draws a mark for every brand that a number can have', () => {
  const prefixes = creditCardType('').map(({ patterns }) => String([patterns[0]].flat()[0]));
  const ids = prefixes.map((prefix) => likelyBrand(prefix.padEnd(8, '0'))?.id ?? '');
  expect(new Set(ids).size).toBe(ids.length);
  const html = renderToString(<MarkSymbols ids={allMarks} />);
  for (const id of ids) {
    const [, drawing] = /href="#([\w-]+)"/.exec(renderToString(<Mark name={id} />)) ?? [];
    expect(html, id).toMatch(new RegExp(`<symbol id="${drawing}"[^>]*><path`));
  }
});
