import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

export type Encoding = 'br' | 'gzip';

/** How a browser takes a text: Brotli, else gzip, else as it is. */
export function encodingFor(req: Request): Encoding | undefined {
  return (['br', 'gzip'] as const).find((name) => req.acceptsEncodings(name) === name);
}

/** Small texts: a window and an effort that cost less than a millisecond, and save more on the way. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 } };

/**
 * Sends a page that is made for each request, compressed on the spot: handing it to another thread would take longer. It may hold
 * no secret and no personal value (those come by `/checkout/api/session`, which is never compressed), so that what an address
 * puts into it cannot be used to guess at one by its size (BREACH).
 */
export function sendCompressed(req: Request, res: Response, html: string): void {
  const encoding = encodingFor(req);
  res.vary('Accept-Encoding');
  if (!encoding) return void res.send(html);
  res.set('Content-Encoding', encoding).send(encoding === 'br' ? brotliCompressSync(html, BROTLI) : gzipSync(html));
}
