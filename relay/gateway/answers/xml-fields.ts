import { XMLParser } from 'fast-xml-parser';
import { isObject } from '../../../shared/checkout/is-object.ts';

const TEXT = '#text';

const parser = new XMLParser({
  ...{ preserveOrder: true, textNodeName: TEXT, ignoreAttributes: true },
  ...{ parseTagValue: false, trimValues: false, onDangerousProperty: (name) => name },
  // References to characters, which the parser counts among those of HTML. The number of references is limited by the answer's length.
  htmlEntities: true,
  processEntities: {
    enabled: true,
    maxTotalExpansions: Number.MAX_SAFE_INTEGER,
    maxExpandedLength: Number.MAX_SAFE_INTEGER,
  },
});

/** CDATA, which is kept; comments and instructions, which are no fields. */
const CDATA_OR_NOTE = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g;

/**
 * Reads the child elements of `respon` and their text with a lenient parser. The text must be well formed: a strict parser has read it.
 * @returns undefined where there is no flat `respon`, or an element twice
 */
export function readXmlFields(text: string): ReadonlyMap<string, string> | undefined {
  // The parser looks for pairs of quotes in instructions, and needs much time for many comments.
  const plain = text.replace(CDATA_OR_NOTE, (found) => (found.startsWith('<![') ? found : ''));
  const root = nodesOf(parse(plain)).find(({ name }) => name === 'respon');
  const fields = new Map<string, string>();
  for (const { name, content } of nodesOf(root?.content)) {
    if (name === TEXT) continue;
    const value = textOf(content);
    if (value === undefined || fields.has(name)) return undefined;
    fields.set(name, value);
  }
  return root && fields;
}

function parse(text: string): unknown {
  try {
    return parser.parse(text);
  } catch {
    // It refuses names that are special to JavaScript.
    return undefined;
  }
}

type Node = { name: string; content: unknown };

/** The nodes of a list as the parser gives them: each an object whose only key is its name. */
function nodesOf(list: unknown): Node[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).flatMap((node) => Object.entries(node).map(([name, content]) => ({ name, content })));
}

/** The text of an element that holds nothing else. */
function textOf(content: unknown): string | undefined {
  const nodes = nodesOf(content);
  return nodes.every(({ name }) => name === TEXT) ? nodes.map((node) => node.content).join('') : undefined;
}
