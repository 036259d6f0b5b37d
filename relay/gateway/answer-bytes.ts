import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Permit } from '../base/concurrency.ts';

/** The most bytes of an answer, where not more are allowed. */
export const MAX_ANSWER_BYTES = 1_048_576;

/** Where more are allowed, an answer beyond so many bytes is a long one: reading it at once would hold payments up. */
const MAX_BYTES_AT_ONCE = 262_144;

/** An answer has more bytes than are taken. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  readonly code = 'answer_too_large';
}

/** An answer whose bytes come one after the other. */
type AnswerBytes = {
  /** Keeps a piece. The caller waits for the promise, where there is one. Throws TooLarge. */
  add(piece: Buffer): Promise<void> | undefined;
  /** The whole in pieces of some size, none of which shares its memory; and its permit, where it needed one. */
  whole(): { blocks: Buffer<ArrayBuffer>[]; permit: Permit | undefined };
  /** It is not needed any more: releases its permit, now or when it gets it. */
  drop(): void;
};

/** Takes at most `maxBytes`. A long answer waits for a permit: so many are in memory at a time. */
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

/** The decompressor for a Content-Encoding; `unknown` where there is none of that name, undefined where nothing is packed. */
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
