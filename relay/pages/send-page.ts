import type { Request, Response } from 'express';
import { type Ending, gzipParts } from './gzip-parts.ts';
import type { CheckoutPage } from './page.ts';

/**
 * Sends the page of a form, which is made for each request, compressed on the spot: handing it to another thread would take
 * longer. It may hold no secret and no personal value (those come by `/checkout/api/session`, which is never compressed), so that
 * what an address puts into it cannot be used to guess at one by its size (BREACH). Only gzip lets its parts be compressed one by
 * one: what is seen first, so that a browser can show it before the rest is there, and the script once for all pages.
 */
export function sendCheckoutPage(req: Request, res: Response, page: CheckoutPage, ending: Ending): void {
  const { headers, seen, data } = page;
  res.set(headers).vary('Accept-Encoding');
  if (req.acceptsEncodings('gzip') !== 'gzip') return void res.send(seen + data + ending.text);
  res.set('Content-Encoding', 'gzip').send(gzipParts(seen, data, ending));
}
