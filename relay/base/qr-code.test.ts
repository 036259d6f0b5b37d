import { encode } from 'uqr';
import { expect, it } from 'vitest';
import { qrCode } from './qr-code.ts';

const address = 'https://pay.example/checkout/cs_0123456789abcdefghijkl/issuer?ticket=1806488100000.Jx7TqLk2Vn9wRb4Z';

/** What an SVG draws dark, row by row. */
function drawn(svg: string, size: number): boolean[][] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x = '', y = '', width = ''] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    rows[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  }
  return rows;
}

it('draws every dark module of the code, with a light border', () => {
  const { size, data } = encode(address, { border: 4 });
  const svg = qrCode(address);
  expect(svg).toMatch(new RegExp(`^<svg [^>]*viewBox="0 0 ${size} ${size}"`));
  expect(svg).toContain(`<path fill="#fff" d="M0 0h${size}v${size}H0z"/>`);
  expect(drawn(svg, size)).toEqual(data);
  expect(data.slice(0, 4).flat()).not.toContain(true);
  expect(svg.length).toBeLessThan(10_000);
});
