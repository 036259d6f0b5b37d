import { createSigner } from '../../../relay/gateway/signing/signer.ts';
import type { Signing } from '../../../relay/gateway/signing/signing-setting.ts';
import { formatDate, parseDate } from '../../../shared/gateway/dates.ts';
import { type OperationName, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { type Message, sign } from '../../../shared/gateway/signature.ts';
import { account } from '../relays/relay.ts';
import { sandboxGateway } from './sandbox-gateway.ts';
import { scriptedGateway } from './scripted-gateway.ts';

/** How a gateway differs from the sandbox's where the specification permits several ways. */
export type Dialect = {
  /** How requests are signed. Answers are signed only if this is the sandbox's own way or names their fields. */
  signing?: Signing;
  /** Its signing secret, if it is not the account's. */
  secret?: string;
  /** Signs its refusals, which are answers with another return_status. */
  signsRefusals?: true;
  /** Refuses queries without dates, with an error message. */
  wantsDates?: true;
  /** Writes its answers in ISO 8859-1 without declaring it, with a word that is not ASCII. */
  isLatin1?: true;
  contentType?: string;
  separator?: string;
  /** Refuses queries that contain dates. */
  refusesDates?: boolean;
  /** Other codes in place of the sandbox's, by field. */
  codes?: Record<string, Record<string, string>>;
  /** The number of hours by which its dates are ahead of UTC. */
  hoursAhead?: number;
  /** Additional text of a refusal. */
  refusalText?: (message: Message) => string;
};

type Sent = { status: number; type: string; body: string };

/** A sandbox gateway that speaks a dialect, for one test. Payments are forwarded unchanged. */
export async function dialectGateway(dialect: Dialect) {
  const { merchant_id } = account;
  const signingSecret = dialect.secret ?? account.signingSecret;
  const sandbox = await sandboxGateway();
  /** The messages other than payments. */
  const asked: { path: string; message: Message }[] = [];
  const front = await scriptedGateway(async ({ path, contentType, raw }, response, request) => {
    const name = operationNames.find((one) => operations[one].path === path);
    const answer = await (request.method === 'HEAD'
      ? { status: 200, type: 'text/plain', body: '' }
      : name === undefined || path === '/v1/authorise'
        ? post(`${sandbox.url}${path}`, contentType, raw)
        : speak(name, contentType, raw));
    response.writeHead(answer.status, { 'content-type': answer.type });
    response.end(answer.body, dialect.isLatin1 ? 'latin1' : 'utf8');
  });

  const speak = async (name: OperationName, type: string, raw: string): Promise<Sent> => {
    const { path, encoding } = operations[name];
    if (encoding === 'json' && type !== (dialect.contentType ?? type)) return plain(415, 'Unsupported');
    const message: Message = encoding === 'json' ? JSON.parse(raw) : Object.fromEntries(new URLSearchParams(raw));
    asked.push({ path, message });
    if (message.merchant_id !== merchant_id) return post(`${sandbox.url}${path}`, type, raw);
    const signer = await createSigner(dialect.signing ?? { scheme: 'canonical' });
    /** The answer with its own signature, if it has one. */
    const withSignature = async (answer: Message): Promise<Message> => {
      const made = await signer(answer, { operation: name, direction: 'answer', secret: signingSecret });
      return made.kind === 'signed' ? { ...answer, encryption_data: made.signature } : answer;
    };
    if (dialect.wantsDates && name === 'query' && message.query_start === undefined) {
      return plain(400, 'query_start is required');
    }
    const signed = await signer(message, { operation: name, direction: 'request', secret: signingSecret });
    if (signed.kind !== 'signed' || signed.signature !== message.encryption_data) {
      if (!dialect.signsRefusals) return plain(400, `Invalid input${dialect.refusalText?.(message) ?? ''}`);
      const { account_id } = message;
      const refusal = { merchant_id, account_id, return_status: '0', return_message: 'Invalid input' };
      return { status: 200, type: 'application/json', body: JSON.stringify(await withSignature(refusal)) };
    }
    if (dialect.refusesDates && message.query_start !== undefined) return plain(400, 'Invalid input: query_start');
    const { encryption_data: _, ...fields } = translated(message, dialect);
    const own = { ...fields, encryption_data: sign(fields, account.signingSecret) };
    const body = encoding === 'json' ? JSON.stringify(own) : new URLSearchParams(texts(own)).toString();
    const answer = await post(`${sandbox.url}${path}`, type, body);
    if (answer.status !== 200) return answer;
    const { encryption_data: __, ...translatedFields }: Message = spoken(JSON.parse(answer.body), dialect);
    const words = dialect.isLatin1 ? { ...translatedFields, return_message: 'Operação concluída' } : translatedFields;
    return { ...answer, body: JSON.stringify(await withSignature(words)) };
  };
  return { url: front.url, asked, registeredAddresses: sandbox.registeredAddresses };
}

function plain(status: number, body: string): Sent {
  return { status, type: 'text/plain', body };
}

async function post(url: string, type: string, body: string): Promise<Sent> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
  return { status: response.status, type: response.headers.get('content-type') ?? '', body: await response.text() };
}

function texts(message: Message): [string, string][] {
  return Object.entries(message).map(([name, value]) => [name, String(value)]);
}

/** A request in the sandbox's own vocabulary. */
function translated(message: Message, { separator = ',' }: Dialect): Message {
  const { orders } = message;
  if (typeof orders !== 'string') return message;
  const entries = orders.split(separator).map((entry) => entry.replaceAll(',', '_'));
  return { ...message, orders: entries.join(',') };
}

/** An answer of the sandbox in the dialect. */
function spoken(value: object, dialect: Dialect): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, field]: [string, unknown]) => {
    if (Array.isArray(field)) return [name, field.map((item: object) => spoken(item, dialect))];
    if (typeof field !== 'string') return [name, field];
    if (name === 'transaction_date') return [name, shifted(field, dialect.hoursAhead ?? 0)];
    return [name, dialect.codes?.[name]?.[field] ?? field];
  });
  return Object.fromEntries(entries);
}

function shifted(text: string, hours: number): string {
  const date = parseDate('YYYYMMDDHHMMSS', text);
  return date ? formatDate('YYYYMMDDHHMMSS', { ...date, ...atHour(date, hours) }) : text;
}

function atHour(
  date: { year: number; month: number; day: number; hour: number; minute: number; second: number },
  hours: number,
) {
  const { year, month, day, hour, minute, second } = date;
  const at = new Date(Date.UTC(year, month - 1, day, hour + hours, minute, second));
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate(), hour: at.getUTCHours() };
}
