import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What came of taking a body off the wire. Of one that is `whole`, `content` is all of it, or nothing if it is long. */
export type Received =
  | { kind: 'whole'; bytes: number; sha256: string; content?: Buffer }
  | { kind: 'too_large' }
  | { kind: 'cut_off' };

/** The most bytes that are taken, the most that are kept to be read, and how long it may take, in milliseconds. */
export type BodyLimits = { bytes: number; kept: number; ms: number };

const MIB = 1_048_576;

/** A notification is a kilobyte or so. What is far longer is still taken off the wire, so that it does not come again. */
const notificationLimits: BodyLimits = { bytes: 16 * MIB, kept: 65_536, ms: 20_000 };

/**
 * Counts and hashes the bytes of a request's body as they come, encoded as they are; memory is bounded by `limits.kept`.
 * Never rejects. Of one that is `too_large` or `cut_off` (by time, or by whoever sent it) the rest is still to come.
 */
export function receiveBody(req: IncomingMessage, limits: BodyLimits = notificationLimits): Promise<Received> {
  return new Promise((done) => {
    const hash = createHash('sha256');
    const content: Buffer[] = [];
    let bytes = 0;
    const end = (received: Received): void => {
      clearTimeout(timer);
      req.off('data', take);
      done(received);
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limits.bytes) {
        end({ kind: 'too_large' });
        return;
      }
      hash.update(chunk);
      if (bytes <= limits.kept) content.push(chunk);
      else content.length = 0;
    };
    const timer = setTimeout(() => end({ kind: 'cut_off' }), limits.ms);
    if (Number(req.headers['content-length']) > limits.bytes) {
      end({ kind: 'too_large' });
      return;
    }
    req.on('end', () => {
      const whole = { kind: 'whole', bytes, sha256: hash.digest('hex') } as const;
      end(bytes <= limits.kept ? { ...whole, content: Buffer.concat(content) } : whole);
    });
    // It is closed after its end too; then this changes nothing.
    for (const event of ['close', 'error']) req.on(event, () => end({ kind: 'cut_off' }));
    if (req.destroyed) end({ kind: 'cut_off' });
    req.on('data', take);
  });
}
