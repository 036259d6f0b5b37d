import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Boot } from '../../shared/checkout/view.ts';
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
  res.set(headers).vary('Accept, Accept-Encoding');
  if (!takesGzip(req)) return void res.send(seen + data + ending.text);
  res.set('Content-Encoding', 'gzip').send(gzipParts(seen, data, ending));
}

/** Sends what the script of a form needs of its page, for a form that changes its language or its order in place. */
export function sendBoot(req: Request, res: Response, boot: Boot): void {
  const json = JSON.stringify(boot);
  res.set({ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  res.vary('Accept, Accept-Encoding');
  if (takesGzip(req)) res.set('Content-Encoding', 'gzip').send(gzipSync(json));
  else res.send(json);
}

function takesGzip(req: Request): boolean {
  return req.acceptsEncodings('gzip') === 'gzip';
}
