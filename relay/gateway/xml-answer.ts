import { XMLParser } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';

/** Why a text is no XML answer. */
export type XmlFault = 'not_well_formed' | 'wrong_root' | 'repeated_element' | 'nested_element';

/** The gateway's answer is not an XML answer of the spec. The message never quotes the answer. */
export class XmlAnswerError extends Error {
  override readonly name = 'XmlAnswerError';
  readonly code: XmlFault;

  constructor(code: XmlFault) {
    super(`the answer is no XML answer of the gateway: ${code}`);
    this.code = code;
  }
}

const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  htmlEntities: true,
  processEntities: { enabled: true, maxTotalExpansions: 100_000, maxExpandedLength: 4_000_000 },
});

/**
 * Reads the XML answer of §2.2 and §2.3: the child elements of `respon` and their exact text, empty ones as `""`.
 * Strictly well formed or refused: fast-xml-parser accepts much that is not XML, so a strict parser reads the bytes first
 * and both must find the same. Throws XmlAnswerError.
 */
export function readXmlAnswer(bytes: Uint8Array): Record<string, string> {
  const xml = decodeUtf8(bytes);
  const elements = readStrictly(xml);
  const read: unknown = parseLeniently(xml);
  for (const [name, value] of elements) {
    if (textOf(read, name) !== value) throw new XmlAnswerError('not_well_formed');
  }
  return Object.fromEntries(elements);
}

function decodeUtf8(bytes: Uint8Array): string {
  let xml: string;
  try {
    xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new XmlAnswerError('not_well_formed');
  }
  const encoding = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(xml)?.[1];
  if (encoding !== undefined && !/^(utf-8|us-ascii)$/i.test(encoding)) throw new XmlAnswerError('not_well_formed');
  return xml;
}

function readStrictly(xml: string): Map<string, string> {
  const found = new Map<string, string>();
  let depth = 0;
  let text = '';
  const strict = new SaxesParser({ xmlns: false });
  const refuse = (code: XmlFault): never => {
    throw new XmlAnswerError(code);
  };
  strict.on('error', () => refuse('not_well_formed'));
  strict.on('doctype', () => refuse('not_well_formed'));
  strict.on('opentag', ({ name }) => {
    depth += 1;
    text = '';
    if (depth === 1 && name !== 'respon') refuse('wrong_root');
    if (depth === 2 && found.has(name)) refuse('repeated_element');
    if (depth > 2) refuse('nested_element');
  });
  const collect = (part: string): void => {
    text += part;
    if (depth === 1 && part.trim() !== '') refuse('not_well_formed');
  };
  strict.on('text', collect);
  strict.on('cdata', collect);
  strict.on('closetag', ({ name }) => {
    if (depth === 2) found.set(name, text);
    depth -= 1;
    text = '';
  });
  strict.write(xml).close();
  return found;
}

function parseLeniently(xml: string): unknown {
  try {
    return parser.parse(xml);
  } catch {
    throw new XmlAnswerError('not_well_formed');
  }
}

function textOf(document: unknown, name: string): unknown {
  if (typeof document !== 'object' || document === null || !('respon' in document)) return undefined;
  const { respon } = document;
  return typeof respon === 'object' && respon !== null ? Reflect.get(respon, name) : undefined;
}
