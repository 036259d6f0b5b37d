import type { AnswerEncoding } from '../faults/answer-style.ts';

/** A text as bytes. What the encoding has no bytes for is written by `spell`, in ASCII. */
export function encodeText(text: string, encoding: AnswerEncoding, spell: (character: string) => string): Buffer {
  switch (encoding) {
    case 'UTF-8':
    case 'utf8':
      return Buffer.from(text);
    case 'UTF-16':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'ISO-8859-1':
      return Buffer.from(text.replace(/[^\0-\xff]/gu, spell), 'latin1');
    case 'windows-1252':
    case 'GBK':
      return encodeByTable(text, encoding, spell);
  }
}

/** Only ASCII is the same in both, and nearly all of an answer is ASCII. */
function encodeByTable(text: string, encoding: AnswerEncoding, spell: (character: string) => string): Buffer {
  const table = tableOf(encoding);
  const parts = text.match(/[\0-\x7f]+|[^\0-\x7f]/gu) ?? [];
  return Buffer.concat(parts.map((part) => table.get(part) ?? Buffer.from(isAscii(part) ? part : spell(part))));
}

function isAscii(text: string): boolean {
  return text.charCodeAt(0) < 0x80;
}

/** The bytes of each character, found by reading every single byte and every pair. */
function tableOf(encoding: AnswerEncoding): Map<string, Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, Buffer>();
  const learn = (...bytes: number[]): void => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes));
      if ([...character].length === 1 && !table.has(character)) table.set(character, Buffer.from(bytes));
    } catch {
      // These bytes mean nothing.
    }
  };
  for (let first = 0x80; first < 0x100; first++) learn(first);
  if (encoding !== 'GBK') return table;
  for (let first = 0x81; first < 0xff; first++) for (let second = 0x40; second < 0xff; second++) learn(first, second);
  return table;
}
