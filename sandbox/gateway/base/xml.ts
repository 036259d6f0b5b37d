import { XMLBuilder } from 'fast-xml-parser';
import type { Message } from '../../../shared/gateway/signature.ts';

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

const builder = new XMLBuilder({
  suppressEmptyNode: true,
  processEntities: false,
  tagValueProcessor: (_name, value) => escapeXml(String(value)),
});

/** Writes the answer of §2.2 and §2.3: root `respon`, one element a field. Throws TypeError when a value is no text. */
export function writeRespon(fields: Message, encoding = 'UTF-8'): string {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string') throw new TypeError(`${name} is not a text`);
  }
  return `<?xml version="1.0" encoding="${encoding}"?>\n${builder.build({ respon: fields })}`;
}

/** The same document with a line for each element, for people to read. */
export function indentRespon(xml: string): string {
  return xml.replaceAll('><', '>\n  <').replace('\n  </respon>', '\n</respon>');
}

/** A carriage return goes as a reference: a reader turns a bare one into a line feed, and the signature would not match. */
function escapeXml(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => references[character] ?? '');
}
