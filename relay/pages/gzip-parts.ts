import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A text that ends many pages, compressed once. */
export type Ending = { text: string; deflated: Buffer };

/** The header of RFC 1952: deflate, no name, no time, no system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** A part ends at a whole byte, where another can follow. */
const PART = { finishFlush: constants.Z_SYNC_FLUSH };

export function compressEnding(text: string): Ending {
  return { text, deflated: deflateRawSync(text, { level: constants.Z_BEST_COMPRESSION }) };
}

/** Compresses two parts of a page with gzip and puts its ending after them. All of it is one text to whoever reads it. */
export function gzipParts(first: string, second: string, { text, deflated }: Ending): Buffer {
  const bytes = Buffer.from(first);
  const whole = Buffer.from(first + second + text);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(whole), 0);
  trailer.writeUInt32LE(whole.length, 4);
  const parts = [deflateRawSync(bytes, PART), deflateRawSync(second, { ...PART, dictionary: bytes })];
  return Buffer.concat([HEADER, ...parts, deflated, trailer]);
}
