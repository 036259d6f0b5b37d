import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Asset, Encoding } from './assets.ts';

export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** A name that does not change with its content: a page that asks for it has a new build soon, and costs little until then. */
export const SHORT = 'public, max-age=300';

const encoders = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/**
 * Sends a script, to any origin, compressed as the browser takes it: Brotli, else gzip. Scripts are the same for everybody and
 * hold no secret, so that their compressed size tells nothing (BREACH). Each encoding is a representation with an ETag of its own.
 */
export async function sendScript(req: Request, res: Response, script: Asset, cacheControl: string): Promise<void> {
  const encoding = encodingFor(req);
  const etag = script.integrity.slice('sha384-'.length, -32);
  res.set({
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': cacheControl,
    Vary: 'Accept-Encoding',
    ETag: encoding ? `"${etag}.${encoding}"` : `"${etag}"`,
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
  });
  res.send(encoding ? await compress(script, encoding) : script.body);
}

/** How a browser takes a script: Brotli, else gzip, else as it is. */
function encodingFor(req: Request): Encoding | undefined {
  return (['br', 'gzip'] as const).find((name) => req.acceptsEncodings(name) === name);
}

/** Each script is compressed once, as hard as can be, when it is first asked for. */
function compress({ body, compressed }: Asset, encoding: Encoding): Promise<Buffer> {
  // Brotli's own default is its best, 11.
  const made = compressed.get(encoding) ?? (encoding === 'br' ? encoders.br(body) : encoders.gzip(body, { level: 9 }));
  compressed.set(encoding, made);
  return made;
}
