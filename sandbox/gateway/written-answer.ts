import { isObject } from '../../shared/checkout/is-object.ts';
import { type OperationName, operations } from '../../shared/gateway/operations.ts';
import { type Message, sign } from '../../shared/gateway/signature.ts';
import type { FaultName } from './faults.ts';
import { maskMessage } from './mask.ts';
import { indentRespon, writeRespon } from './xml.ts';

/** An answer as it goes out. */
export type WrittenAnswer = {
  status: number;
  type: string;
  body: string;
  /** The same for people to read, and what it says in a few words. */
  shown: string;
  summary: string;
};

const PAGE = '<!doctype html>\n<title>Maintenance</title>\n<h1>We will be back soon</h1>\n';

/** Writes an operation's answer, signed, with what the faults do to its content. */
export function writeAnswer(
  name: OperationName,
  fields: Message,
  faults: ReadonlySet<FaultName>,
  secret: string,
): WrittenAnswer {
  if (faults.has('server_error')) return plain(500, 'text/plain', 'Internal error');
  if (faults.has('html')) return plain(200, 'text/html', PAGE);
  const message = signed(misdirected(fields, faults), faults, secret);
  const masked = maskMessage(message, Object.keys(message));
  const { result_info, return_message, error_message, status, issuer_url } = masked;
  const summary = String(
    result_info ?? return_message ?? status ?? (issuer_url ? 'Sent to the issuer' : error_message || 'OK'),
  );
  switch (operations[name].answerFormat) {
    case 'xml': {
      const body = writeRespon(message);
      return { status: 200, type: 'application/xml', body, shown: indentRespon(writeRespon(masked)), summary };
    }
    case 'json': {
      const shown = JSON.stringify(masked, undefined, 2);
      return { status: 200, type: 'application/json', body: JSON.stringify(message), shown, summary };
    }
  }
}

function plain(status: number, type: string, body: string): WrittenAnswer {
  return { status, type, body, shown: body, summary: status === 200 ? 'A web page' : body };
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

/** The answer as a fault would have it, for something else than was asked for or with card data, in itself and in every record it lists. */
function misdirected(fields: Message, faults: ReadonlySet<FaultName>): Message {
  const changed = (name: string, value: string) =>
    changes
      .filter(({ fault, fields: struck }) => faults.has(fault) && struck.includes(name))
      .reduce((text, { to }) => to(text), value);
  const entries = Object.entries(fields).map(([name, value]) => {
    if (typeof value === 'string') return [name, changed(name, value)];
    if (Array.isArray(value))
      return [name, value.map((item: unknown) => (isObject(item) ? misdirected(item, faults) : item))];
    return [name, value];
  });
  return Object.fromEntries(entries);
}
