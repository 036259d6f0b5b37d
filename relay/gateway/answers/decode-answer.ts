/** An answer as text, and the encoding that it was read in. */
type DecodedAnswer = {
  text: string;
  /** The name in the WHATWG Encoding Standard, or `us-ascii`. */
  encoding: string;
  /** Whether the Content-Type names the encoding: then the XML declaration does not count (RFC 7303). */
  isByHeader: boolean;
};

const ASCII = 'us-ascii';

// Nearly every answer is UTF-8. A byte order mark stays: after it there may be no second one.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the bytes of an answer in the encoding that it declares: by its byte order mark, otherwise the charset of its Content-Type,
 * otherwise its XML declaration, otherwise UTF-8.
 * @returns undefined if the encoding is unknown or the bytes are wrong in it
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

/** True if an XML declaration may name its encoding by this label. */
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
  // A mark takes precedence over the header. If the header names another encoding, it does not count.
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

/** Longer than any XML declaration. */
const MAX_DECLARATION = 400;

/** The encoding that an XML declaration names, read as in XML 1.0 appendix F: the declaration has only ASCII characters. */
function inXmlDeclaration(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== 0x3c && bytes[1] !== 0x3c) return undefined;
  const head = Buffer.from(bytes.subarray(0, MAX_DECLARATION)).toString('latin1');
  // In UTF-16 each of these characters has a zero byte beside it.
  const isUtf16 = head.startsWith('<\0?\0') || head.startsWith('\0<\0?');
  const text = isUtf16 ? head.replaceAll('\0', '') : head;
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(text)?.[1];
  const isWide = label !== undefined && encodingOf(label)?.startsWith('utf-16') === true;
  // A label that contradicts the bytes is ignored: the bytes are read as UTF-8, which fails later.
  return isUtf16 === isWide ? label : undefined;
}

/** The encoding with this label; undefined if there is none. ASCII is an encoding of its own here: bytes beyond it are wrong. */
function encodingOf(label: string): string | undefined {
  // Nearly every answer has this label. A TextDecoder that returns the name takes as long as reading an answer.
  if (/^utf-8$/i.test(label)) return 'utf-8';
  if (/^(us-)?ascii$/i.test(label)) return ASCII;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Whether two encodings are the same; the byte order of UTF-16 does not matter. */
function isSame(one: string | undefined, other: string): boolean {
  return one === other || (one?.startsWith('utf-16') === true && other.startsWith('utf-16'));
}

/** True unless the label fixes the byte order: of the labels of UTF-16, only `utf-16le` does. */
function isAnyOrder(label: string): boolean {
  return label.toLowerCase() !== 'utf-16le';
}
