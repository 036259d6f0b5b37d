import type { Message } from '../../../shared/gateway/signature.ts';

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** Writes the answer of §2.2 and §2.3: root `respon`, one element a field. Throws TypeError when a value is no text. */
export function writeRespon(fields: Message, encoding = 'UTF-8'): string {
  const elements = Object.entries(fields).map(([name, value]) => {
    if (typeof value !== 'string') throw new TypeError(`${name} is not a text`);
    return value === '' ? `<${name}/>` : `<${name}>${escapeXml(value)}</${name}>`;
  });
  return `<?xml version="1.0" encoding="${encoding}"?>\n<respon>${elements.join('')}</respon>`;
}

/** The same document with a line for each element, for people to read. */
export function indentRespon(xml: string): string {
  return xml.replaceAll('><', '>\n  <').replace('\n  </respon>', '\n</respon>');
}

/** A carriage return goes as a reference: a reader would turn a bare one into a line feed, and the signature would not match. */
function escapeXml(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => references[character] ?? '');
}
