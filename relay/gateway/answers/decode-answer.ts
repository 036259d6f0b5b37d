/** An answer as text, and the encoding that it was read in. */
type DecodedAnswer = {
  text: string;
  /** By the name that the WHATWG Encoding Standard gives it, or `us-ascii`. */
  encoding: string;
  /** Whether the Content-Type names one: what the XML declaration says does not count then (RFC 7303). */
  isByHeader: boolean;
};

const ASCII = 'us-ascii';

// Nearly every answer is UTF-8. A byte order mark stays: a second one may not stand behind it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the bytes of an answer in the encoding that it declares: by its byte order mark, else the charset of its Content-Type,
 * else its XML declaration, else UTF-8.
 * @returns undefined where the encoding is unknown or the bytes are wrong in it
 */
export function decodeAnswer(bytes: Uint8Array, contentType = ''): DecodedAnswer | undefined {
  const declared = declaredEncoding(bytes, contentType);
  if (!declared) return undefined;
  const { encoding } = declared;
  try {
    return { ...declared, text: decoderOf(encoding).decode(bytes) };
  } catch {
    return undefined;
  }
}

/** The same for people to read: bytes that are wrong in the encoding are replaced. */
export function decodeLoosely(bytes: Uint8Array, contentType = ''): string {
  const { encoding = 'utf-8' } = declaredEncoding(bytes, contentType) ?? {};
  return new TextDecoder(encoding === ASCII ? 'utf-8' : encoding).decode(bytes);
}

/** True when an XML declaration may name its encoding so. */
export function isTrueEncoding(label: string | undefined, { encoding, isByHeader }: DecodedAnswer): boolean {
  if (label === undefined || isByHeader) return true;
  const known = encodingOf(label);
  return known === encoding || (known === 'utf-16le' && encoding === 'utf-16be' && isAnyOrder(label));
}

function decoderOf(encoding: string): Pick<TextDecoder, 'decode'> {
  if (encoding === 'utf-8') return utf8;
  if (encoding === ASCII) return { decode: asciiText };
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
}

function asciiText(bytes: NodeJS.ArrayBufferView | ArrayBuffer | SharedArrayBuffer = new Uint8Array()): string {
  const text = utf8.decode(bytes);
  if (text.length !== bytes.byteLength) throw new RangeError('not ASCII');
  return text;
}

function declaredEncoding(bytes: Uint8Array, contentType: string): Omit<DecodedAnswer, 'text'> | undefined {
  const charset = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
  const isByHeader = charset !== undefined;
  const marked = byMark(bytes);
  // A mark goes before the header, but a header that says something else vouches for nothing.
  if (marked !== undefined) return { encoding: marked, isByHeader: isByHeader && isSame(encodingOf(charset), marked) };
  const label = charset ?? inXmlDeclaration(bytes) ?? 'utf-8';
  const encoding = encodingOf(label);
  if (encoding === undefined) return undefined;
  const isBigEndian = encoding === 'utf-16le' && isAnyOrder(label) && bytes[0] === 0;
  return { encoding: isBigEndian ? 'utf-16be' : encoding, isByHeader };
}

function byMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** Far longer than any XML declaration. */
const MAX_DECLARATION = 400;

/** The encoding that an XML declaration names, read as XML 1.0 appendix F has it: its own characters are ASCII. */
function inXmlDeclaration(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== 0x3c && bytes[1] !== 0x3c) return undefined;
  const head = Buffer.from(bytes.subarray(0, MAX_DECLARATION)).toString('latin1');
  // In UTF-16 each of them has a zero byte beside it.
  const isUtf16 = head.startsWith('<\0?\0') || head.startsWith('\0<\0?');
  const text = isUtf16 ? head.replaceAll('\0', '') : head;
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(text)?.[1];
  const isWide = label !== undefined && encodingOf(label)?.startsWith('utf-16') === true;
  // A label that the bytes refute fails later, when they are read as UTF-8.
  return isUtf16 === isWide ? label : undefined;
}

/** The encoding with this label; undefined where there is none. ASCII is one of its own here: bytes beyond it are wrong. */
function encodingOf(label: string): string | undefined {
  // Nearly every label: to make a decoder that tells its name takes as long as reading an answer.
  if (/^utf-8$/i.test(label)) return 'utf-8';
  if (/^(us-)?ascii$/i.test(label)) return ASCII;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Whichever comes first of the two bytes of UTF-16. */
function isSame(one: string | undefined, other: string): boolean {
  return one === other || (one?.startsWith('utf-16') === true && other.startsWith('utf-16'));
}

/** Of the labels of UTF-16 all but one leave the order of its bytes open. */
function isAnyOrder(label: string): boolean {
  return label.toLowerCase() !== 'utf-16le';
}
