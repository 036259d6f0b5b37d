import { EntityDecoder } from '@nodable/entities';
import { XMLParser } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';

/** Why a text is not an XML answer. */
export const xmlFaults = [
  'not_well_formed',
  'wrong_root',
  'foreign_namespace',
  'repeated_element',
  'nested_element',
  'too_many_elements',
  'too_long',
  'readers_differ',
] as const;

export type XmlFault = (typeof xmlFaults)[number];

/** The gateway's answer is not an XML answer of the spec. The message never quotes the answer. */
export class XmlAnswerError extends Error {
  override readonly name = 'XmlAnswerError';
  readonly code: XmlFault;

  constructor(code: XmlFault) {
    super(`the answer is no XML answer of the gateway: ${code}`);
    this.code = code;
  }
}

/** More than any XML answer of the spec has. Both parsers need about 15 ms for the longest one. */
const MAX_ELEMENTS = 1000;
const MAX_LENGTH = 65_536;

/** The editions of XML 1.0 disagree about names beyond ASCII, and the spec has no such names. */
const plainName = /^[A-Za-z_][\w.-]*$/;
const qualifiedName = /^[A-Za-z_][\w.-]*(:[A-Za-z_][\w.-]*)?$/;

/** The child elements of `respon` by their names, and the encoding that the XML declaration names. */
type XmlAnswer = { elements: ReadonlyMap<string, string>; encoding: string | undefined };

/** Reads texts one after another with one parser: making a parser takes longer than reading an answer with it. */
type StrictReader = (text: string) => XmlAnswer;

// Reading namespaces takes 50% longer, and without a declaration there are none.
let plainReader = strictReader(false);
let namespaceReader = strictReader(true);
const readFields = fieldsReader();

/**
 * Reads the text of an XML answer of §2.2 and §2.3: the child elements of `respon` and their exact text, `""` for empty ones. The text must
 * be well formed, and two independent parsers must read it alike. Throws XmlAnswerError.
 */
export function readXmlText(text: string): XmlAnswer {
  if (text.length > MAX_LENGTH) refuse('too_long');
  const strict = readStrictly(text);
  const fields = readFields(text);
  if (!fields || !isSame(strict.elements, fields)) refuse('readers_differ');
  return { ...strict, elements: fields };
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, text]) => other.get(name) === text);
}

function readStrictly(text: string): XmlAnswer {
  const hasNamespaces = text.includes('xmlns');
  try {
    return hasNamespaces ? namespaceReader(text) : plainReader(text);
  } catch (error) {
    // A parser that stopped in the middle of a text cannot read another one.
    if (hasNamespaces) namespaceReader = strictReader(true);
    else plainReader = strictReader(false);
    throw error;
  }
}

function strictReader(xmlns: boolean): StrictReader {
  let found = new Map<string, string>();
  let depth = 0;
  let text = '';
  const names = xmlns ? qualifiedName : plainName;
  const strict = new SaxesParser({ xmlns });
  strict.on('error', () => refuse('not_well_formed'));
  strict.on('doctype', () => refuse('not_well_formed'));
  strict.on('processinginstruction', ({ target }) => checkName(target, plainName));
  strict.on('opentag', ({ name, attributes, uri }: OpenTag) => {
    depth += 1;
    text = '';
    if (depth === 1 && name !== 'respon') refuse('wrong_root');
    if (depth > 2) refuse('nested_element');
    if (uri) refuse('foreign_namespace');
    if (depth === 2 && found.has(name)) refuse('repeated_element');
    if (found.size === MAX_ELEMENTS) refuse('too_many_elements');
    checkName(name, names);
    for (const attribute in attributes) if (!attribute.startsWith('xml:')) checkName(attribute, names);
  });
  const collect = (part: string): void => {
    text += part;
    if (depth === 1 && /[^ \t\r\n]/.test(part)) refuse('not_well_formed');
  };
  strict.on('text', collect);
  strict.on('cdata', collect);
  strict.on('closetag', ({ name }) => {
    if (depth === 2) found.set(name, text);
    depth -= 1;
    text = '';
  });
  // No eighth listener: the engine then keeps the parser's fields in a table, and reading takes four times as long.
  return (xml) => {
    [found, depth, text] = [new Map(), 0, ''];
    const { version = '1.0', encoding } = strict.write(xml).xmlDecl;
    if (version !== '1.0') refuse('not_well_formed');
    strict.close();
    return { elements: found, encoding };
  };
}

function refuse(code: XmlFault): never {
  throw new XmlAnswerError(code);
}

function checkName(name: string, names: RegExp): void {
  if (!names.test(name)) refuse('not_well_formed');
}

/** An element from the strict parser; `uri` is its namespace, if namespaces are read. */
type OpenTag = { name: string; attributes: object; uri?: string };

/** Reads the child elements of `respon` and their text; undefined if the parser reads another root, or an element twice. */
type FieldsReader = (text: string) => ReadonlyMap<string, string> | undefined;

/** CDATA is kept. Comments and instructions are not fields. */
const CDATA_OR_NOTE = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g;

/**
 * A reader of elements with a lenient parser. The text that it gets must be well formed and flat: a strict parser has read it. The fields
 * are collected while the parser reads, because building and walking a tree would take longer.
 */
function fieldsReader(): FieldsReader {
  let fields = new Map<string, string>();
  let isRoot = true;
  let isAnswer = true;
  const parser = new XMLParser({
    ...{ preserveOrder: true, ignoreAttributes: true, parseTagValue: false, trimValues: false, jPath: false },
    onDangerousProperty: (name) => name,
    // One parser for all texts: each new one would make tables of entities.
    entityDecoder: new EntityDecoder(),
    updateTag: (name) => {
      isAnswer &&= isRoot ? name === 'respon' : !fields.has(name);
      if (!isRoot) fields.set(name, '');
      isRoot = false;
      return false;
    },
    tagValueProcessor: (name, text) => {
      const before = fields.get(name);
      if (before !== undefined) fields.set(name, before + text);
    },
  });
  return (text) => {
    [fields, isRoot, isAnswer] = [new Map(), true, true];
    try {
      // The parser looks for pairs of quotes in instructions, and is slow if there are many comments.
      parser.parse(text.replace(CDATA_OR_NOTE, (found) => (found.startsWith('<![') ? found : '')));
    } catch {
      return undefined; // It refuses names that are special to JavaScript.
    }
    return isAnswer && !isRoot ? fields : undefined;
  };
}
