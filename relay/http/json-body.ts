import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** True for a body as nearly every caller sends it: JSON, not packed, and of a known length. */
export function isPlain({ headers }: IncomingMessage, maxBytes: number): boolean {
  const length = Number(headers['content-length']);
  return (
    headers['content-type'] === 'application/json' &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    length > 0 &&
    length <= maxBytes
  );
}

/**
 * The object or list in a plain body; undefined where there is none: what came is no JSON in UTF-8, or its caller has gone.
 * Read here because Express's parser, which reads every other body, takes three times as long (`npm run bench -- relay`);
 * plain-body.test.ts holds that both read the same.
 */
export async function readPlainJson(request: IncomingMessage): Promise<object | undefined> {
  const bytes = await bytesOf(request);
  if (!bytes || !isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function bytesOf(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((read) => {
    // A request that was destroyed before says nothing any more.
    if (request.destroyed) return read(undefined);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => read(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', () => read(undefined));
  });
}
