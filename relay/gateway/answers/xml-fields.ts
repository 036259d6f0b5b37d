import { XMLParser } from 'fast-xml-parser';

/** Reads the child elements of `respon` and their text; undefined where the parser reads another root, or an element twice. */
type FieldsReader = (text: string) => ReadonlyMap<string, string> | undefined;

/** CDATA, which is kept; comments and instructions, which are no fields. */
const CDATA_OR_NOTE = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g;

/**
 * A reader of elements with a lenient parser. The text that it gets must be well formed and flat: a strict parser has read it.
 * The fields are taken while the parser reads: its tree would have to be made and walked through.
 */
export function fieldsReader(): FieldsReader {
  let fields = new Map<string, string>();
  let isRoot = true;
  let isAnswer = true;
  const parser = new XMLParser({
    ...{ preserveOrder: true, ignoreAttributes: true, parseTagValue: false, trimValues: false, jPath: false },
    onDangerousProperty: (name) => name,
    // References to characters, which the parser counts among those of HTML. The number of references is limited by the answer's length.
    htmlEntities: true,
    processEntities: {
      enabled: true,
      maxTotalExpansions: Number.MAX_SAFE_INTEGER,
      maxExpandedLength: Number.MAX_SAFE_INTEGER,
    },
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
      // The parser looks for pairs of quotes in instructions, and needs much time for many comments.
      parser.parse(text.replace(CDATA_OR_NOTE, (found) => (found.startsWith('<![') ? found : '')));
    } catch {
      return undefined; // It refuses names that are special to JavaScript.
    }
    return isAnswer && !isRoot ? fields : undefined;
  };
}
