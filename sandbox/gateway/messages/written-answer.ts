import { isObject } from '../../../shared/checkout/is-object.ts';
import { type OperationName, operations } from '../../../shared/gateway/operations.ts';
import { type Message, sign } from '../../../shared/gateway/signature.ts';
import { indentRespon, writeRespon } from '../base/wire.ts';
import type { AnswerEncoding, AnswerStyle } from '../faults/answer-style.ts';
import type { FaultName } from '../faults/faults.ts';
import { maskMessage } from './mask.ts';

/** An answer in its sent form. */
export type WrittenAnswer = {
  status: number;
  type: string;
  body: Buffer;
  /** The answer for people, and a summary of it. */
  shown: string;
  summary: string;
};

const PAGE = '<!doctype html>\n<title>Maintenance</title>\n<h1>We will be back soon</h1>\n';

/** How an answer is written: its faults, its style and its secret. */
type Writing = { faults: ReadonlySet<FaultName>; style: AnswerStyle; secret: string };

/** Writes the signed answer of an operation, with the faults of its content. */
export function writeAnswer(name: OperationName, fields: Message, { faults, style, secret }: Writing): WrittenAnswer {
  if (faults.has('server_error')) return plain(500, 'text/plain', 'Internal error');
  if (faults.has('html')) return plain(200, 'text/html', PAGE);
  const { answerFormat } = operations[name];
  const written = style.number_codes && answerFormat === 'json' ? withNumberCodes(fields) : fields;
  const message = signed(misdirected(written, faults), faults, secret);
  const masked = maskMessage(beginningOf(message), Object.keys(message));
  const { result_info, return_message, error_message, status, issuer_url } = masked;
  const summary = String(
    result_info ?? return_message ?? status ?? (issuer_url ? 'Sent to the issuer' : error_message || 'OK'),
  );
  const { encoding, declared } = style;
  const charset = declared === 'header' ? `; charset=${encoding}` : '';
  switch (answerFormat) {
    case 'xml': {
      const xml = writeRespon(message, declared === 'content' ? encoding : 'UTF-8');
      const body = encodeText(xml, encoding, (character) => `&#${character.codePointAt(0)};`);
      const shown = indentRespon(writeRespon(masked, encoding));
      return { status: 200, type: `application/xml${charset}`, body, shown, summary };
    }
    case 'json': {
      const shown = JSON.stringify(masked, undefined, 2);
      const body = encodeText(JSON.stringify(message), encoding, escapeJson);
      // JSON can name its encoding only in the header; UTF-16 begins with a mark.
      const type = encoding === 'UTF-16' ? `application/json${charset}` : `application/json; charset=${encoding}`;
      return { status: 200, type, body, shown, summary };
    }
  }
}

function escapeJson(character: string): string {
  const unit = (at: number): string => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return Array.from({ length: character.length }, (_, at) => unit(at)).join('');
}

/** The maximum number of shown entries of a list. */
const MAX_SHOWN = 20;

function beginningOf(message: Message): Message {
  const entries = Object.entries(message).map(([name, value]) =>
    Array.isArray(value) && value.length > MAX_SHOWN
      ? [name, [...value.slice(0, MAX_SHOWN), `… ${value.length - MAX_SHOWN} more`]]
      : [name, value],
  );
  return Object.fromEntries(entries);
}

/** The fields with each value changed, also in every listed record. */
function withChanged(fields: Message, change: (name: string, value: unknown) => unknown): Message {
  const entries = Object.entries(fields).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, change(name, value)];
    return [name, value.map((item: unknown) => (isObject(item) ? withChanged(item, change) : item))];
  });
  return Object.fromEntries(entries);
}

/** Codes as numbers, which the spec does not type. */
function withNumberCodes(fields: Message): Message {
  return withChanged(fields, (name, value) =>
    /_status$/.test(name) && /^\d+$/.test(String(value)) ? Number(value) : value,
  );
}

function plain(status: number, type: string, text: string): WrittenAnswer {
  const body = Buffer.from(text);
  return { status, type, body, shown: text, summary: status === 200 ? 'A web page' : text };
}

function signed(fields: Message, faults: ReadonlySet<FaultName>, secret: string): Message {
  if (faults.has('missing_signature')) return fields;
  return { ...fields, encryption_data: sign(fields, faults.has('wrong_signature') ? `${secret}, not` : secret) };
}

type Change = { fault: FaultName; fields: readonly string[]; to: (value: string) => string };

const changes: readonly Change[] = [
  {
    fault: 'wrong_order',
    fields: ['order_no', 'transaction_id', 'recurring_id', 'request_id'],
    to: (value) => `${value}-of-another`,
  },
  { fault: 'wrong_account', fields: ['account_id'], to: (value) => `${value}-of-another` },
  {
    fault: 'wrong_amount',
    fields: ['amount', 'refund_amount', 'payment_amount', 'source_amount'],
    to: (value) => `9${value}`,
  },
  {
    fault: 'wrong_currency',
    fields: ['currency', 'payment_currency', 'source_currency'],
    to: (value) => (value === 'USD' ? 'EUR' : 'USD'),
  },
  {
    fault: 'long_name',
    fields: ['transaction_id', 'recurring_id', 'refund_reference_id'],
    to: (value) => (value === '' ? '' : value.padEnd(256, '-')),
  },
  {
    fault: 'card_in_texts',
    fields: [
      'note',
      'result_info',
      'decline_reason',
      'failure_reason',
      'refund_reason',
      'refund_message',
      'return_message',
      'error_message',
    ],
    to: (value) => `${value} card 4111 1111 1111 1111 cvv 737`.trimStart(),
  },
  {
    fault: 'card_in_texts',
    fields: ['issuer_url'],
    to: (value) => `${value}${value.includes('?') ? '&' : '?'}card=4111111111111111`,
  },
];

/** The answer with faults: about another request, or with card data. */
function misdirected(fields: Message, faults: ReadonlySet<FaultName>): Message {
  return withChanged(fields, (name, value) =>
    changes
      .filter(({ fault, fields: affected }) => faults.has(fault) && affected.includes(name))
      .reduce((changed, { to }) => (typeof changed === 'string' ? to(changed) : changed), value),
  );
}

/** A text as bytes. Characters that the encoding lacks are written by `spell`, in ASCII. */
function encodeText(text: string, encoding: AnswerEncoding, spell: (character: string) => string): Buffer {
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

/** Only ASCII is the same in both encodings, and nearly all of an answer is ASCII. */
function encodeByTable(text: string, encoding: AnswerEncoding, spell: (character: string) => string): Buffer {
  const table = tableOf(encoding);
  const parts = text.match(/[\0-\x7f]+|[^\0-\x7f]/gu) ?? [];
  return Buffer.concat(parts.map((part) => table.get(part) ?? Buffer.from(isAscii(part) ? part : spell(part))));
}

function isAscii(text: string): boolean {
  return text.charCodeAt(0) < 0x80;
}

/** The bytes of each character, found by decoding every single byte and every pair. */
function tableOf(encoding: AnswerEncoding): Map<string, Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, Buffer>();
  const learn = (...bytes: number[]): void => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes));
      if ([...character].length === 1 && !table.has(character)) table.set(character, Buffer.from(bytes));
    } catch {
      // Arbitrary bytes.
    }
  };
  for (let first = 0x80; first < 0x100; first++) learn(first);
  if (encoding !== 'GBK') return table;
  for (let first = 0x81; first < 0xff; first++) for (let second = 0x40; second < 0xff; second++) learn(first, second);
  return table;
}
