import { describe, expect, it } from 'vitest';
import { fontsOf } from './fonts.ts';

const inter = { family: 'Inter', src: 'https://shop.example/fonts/inter.woff2' };
const read = (...fonts: object[]) => fontsOf(JSON.stringify(fonts));

describe('a shop’s fonts', () => {
  it('are loaded from their own addresses alone', () => {
    expect(read(inter, { ...inter, src: `${inter.src}?v=2`, weight: '600', style: 'italic' })).toEqual({
      rules: [
        '@font-face{font-family:"Inter";src:url("https://shop.example/fonts/inter.woff2");font-weight:normal;font-style:normal;font-display:swap}',
        '@font-face{font-family:"Inter";src:url("https://shop.example/fonts/inter.woff2?v=2");font-weight:600;font-style:italic;font-display:swap}',
      ].join(''),
      sources: ['https://shop.example/fonts/inter.woff2'],
    });
  });

  it('make a fallback family of their metrics', () => {
    expect(read({ ...inter, sizeAdjust: '107.4%', ascentOverride: '90%' }).rules).toContain(
      '@font-face{font-family:"Inter fallback";src:local("Arial"),local("Roboto"),local("Liberation Sans");font-weight:normal;font-style:normal;size-adjust:107.4%;ascent-override:90%}',
    );
  });

  it.each([
    ['an address without TLS', { ...inter, src: 'http://shop.example/inter.woff2' }],
    ['a data: URL', { ...inter, src: 'data:font/woff2;base64,AAAA' }],
    ['an end of the function', { ...inter, src: 'https://shop.example/a")}*{display:none}' }],
    ['an end of the directive', { ...inter, src: 'https://shop.example/a;script-src *' }],
    ['a second source', { ...inter, src: 'https://shop.example/a https://evil.example' }],
    ['an end of the family', { ...inter, family: 'Inter";}' }],
    ['another descriptor', { ...inter, 'unicode-range': 'U+30-39' }],
    ['a metric that is none', { ...inter, sizeAdjust: '100%;x:y' }],
  ])('are ignored with %s', (_, font) => expect(read(inter, font)).toEqual({ rules: '', sources: [] }));

  it.each([undefined, '', '[', '{}', 'null', ['[]']])('are none in %j', (text) => {
    expect(fontsOf(text)).toEqual({ rules: '', sources: [] });
  });

  it('are eight at most', () => {
    expect(read(...Array(8).fill(inter)).rules).not.toBe('');
    expect(read(...Array(9).fill(inter)).rules).toBe('');
  });
});
