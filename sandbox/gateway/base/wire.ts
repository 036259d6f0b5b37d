import { XMLBuilder } from 'fast-xml-parser';
import type { Message } from '../../../shared/gateway/signature.ts';

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

const builder = new XMLBuilder({
  suppressEmptyNode: true,
  processEntities: false,
  tagValueProcessor: (_name, value) => escapeXml(String(value)),
});

/**
 * Writes the answer of §2.2 and §2.3: the root `respon`, with one element for each field. Throws TypeError for a value
 * that is no text.
 */
export function writeRespon(fields: Message, encoding = 'UTF-8'): string {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string') throw new TypeError(`${name} is not a text`);
  }
  return `<?xml version="1.0" encoding="${encoding}"?>\n${builder.build({ respon: fields })}`;
}

/** The same document with one element in each line, for people. */
export function indentRespon(xml: string): string {
  return xml.replaceAll('><', '>\n  <').replace('\n  </respon>', '\n</respon>');
}

/**
 * A carriage return is written as a reference, because a reader turns a bare one into a line feed, and the signature
 * would not match.
 */
function escapeXml(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => references[character] ?? '');
}

/** The separator of several values in one form parameter; the spec does not state it (§4.6). */
const SEPARATOR = ',';

/** The values of a form parameter with several values; none if it is absent or empty. */
export function split(list: string | undefined): string[] {
  return list ? list.split(SEPARATOR) : [];
}

/** Why a form, with all its lists, requests too much at once (§8); undefined if it does not. */
export function overLimit(request: Message, lists: Readonly<Record<string, number>>): string | undefined {
  const limit = Math.min(...Object.values(lists));
  const given = Object.keys(lists).flatMap((name) => {
    const value = request[name];
    return typeof value === 'string' && value !== '' ? [{ name, entries: split(value).length }] : [];
  });
  const all = given.reduce((sum, { entries }) => sum + entries, 0);
  return all > limit ? `At most ${limit} ${given.map(({ name }) => name).join(' and ')} in one query` : undefined;
}
