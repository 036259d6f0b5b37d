import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Permit } from '../base/semaphore.ts';

/** The maximum bytes of an answer, unless more are allowed. */
export const MAX_ANSWER_BYTES = 1_048_576;

/** If more are allowed, an answer with more bytes than these is long: reading it in one step would delay payments. */
const MAX_BYTES_AT_ONCE = 262_144;

/** An answer has more bytes than the maximum. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  readonly code = 'answer_too_large';
}

/** The bytes of an answer as they arrive. */
type AnswerBytes = {
  /** Adds a piece. The caller waits for the returned promise, if there is one. Throws TooLarge. */
  add(piece: Buffer): Promise<void> | undefined;
  /** All bytes, in blocks with their own memory, and the permit of a long answer. */
  whole(): { blocks: Buffer<ArrayBuffer>[]; permit: Permit | undefined };
  /** Releases the permit, now or when it is granted. */
  drop(): void;
};

/** Collects at most `maxBytes`. A long answer waits for a permit: permits limit the long answers in memory. */
export function createAnswerBytes(maxBytes: number, acquire: () => Promise<Permit>): AnswerBytes {
  const shortBytes = maxBytes > MAX_ANSWER_BYTES ? MAX_BYTES_AT_ONCE : maxBytes;
  const blocks: Buffer<ArrayBuffer>[] = [];
  let pieces: Buffer[] = [];
  let loose = 0;
  let size = 0;
  let permit: Permit | undefined;
  let waiting: Promise<void> | undefined;
  let isDropped = false;
  const pack = (): void => {
    if (pieces.length === 0) return;
    const block = Buffer.allocUnsafeSlow(loose);
    let at = 0;
    for (const piece of pieces) at += piece.copy(block, at);
    blocks.push(block);
    [pieces, loose] = [[], 0];
  };
  const wait = async (): Promise<void> => {
    const granted = await acquire();
    if (isDropped) granted.release();
    else [permit, waiting] = [granted, undefined];
  };
  return {
    add(piece) {
      size += piece.length;
      if (size > maxBytes) throw new TooLarge();
      pieces.push(piece);
      loose += piece.length;
      if (loose >= MAX_ANSWER_BYTES) pack();
      if (size > shortBytes && !permit) waiting ??= wait();
      return waiting;
    },
    whole() {
      pack();
      return { blocks, permit };
    },
    drop() {
      isDropped = true;
      permit?.release();
    },
  };
}

/** The decompressor of a Content-Encoding: `unknown` for an unknown name, undefined if the answer is not compressed. */
export function unpackerOf(encoding: string | string[] | undefined): Transform | 'unknown' | undefined {
  switch (encoding) {
    case undefined:
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return 'unknown';
  }
}
