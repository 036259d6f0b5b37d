import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { bodyOf, type IncomingMessage, type ServerResponse, serve } from '../http/http-server.ts';
import { account } from '../relays/relay.ts';

/** One message that the gateway received, as on the wire. */
export type Received = {
  path: string;
  contentType: string;
  raw: string;
  /** The JSON body, or the form's parameters. */
  message: Record<string, unknown>;
  /** The number of its connection, starting with 1. */
  connection: number;
};

/** What the gateway does with a message. Common scripts are below. */
export type Script = (received: Received, res: ServerResponse, req: IncomingMessage) => void;

type Events = {
  /** Called when a connection opens. */
  onConnection?(socket: Socket): void;
  /** Called when the head of a request has arrived. */
  onHead?(req: IncomingMessage): void;
};

/** A gateway that stores its messages and answers as the test says, for one test. */
export async function scriptedGateway(script: Script, { onConnection, onHead }: Events = {}) {
  const received: Received[] = [];
  const connections = new Map<Socket, number>();
  const server = await serve(async (req, res) => {
    onHead?.(req);
    const raw = await bodyOf(req);
    const contentType = req.headers['content-type'] ?? '';
    const message = contentType.includes('json') ? JSON.parse(raw) : Object.fromEntries(new URLSearchParams(raw));
    const connection = connections.get(req.socket) ?? 0;
    const entry: Received = { path: req.url ?? '', contentType, raw, message, connection };
    received.push(entry);
    await script(entry, res, req);
  });
  server.server.on('connection', (socket) => {
    connections.set(socket, connections.size + 1);
    onConnection?.(socket);
  });
  onTestFinished(server.close);
  const sent = (path: string): Received[] => received.filter((entry) => entry.path === path);
  return {
    url: server.url,
    close: server.close,
    received,
    sent,
    authorised: () => sent('/v1/authorise'),
    queried: () => sent('/v1/retrievalTrans'),
  };
}

/** The elements of an approving answer to a payment, unsigned. */
export function approval({ message }: Pick<Received, 'message'>): Record<string, string> {
  const { merchant_id, account_id, order_no, amount, currency } = message;
  return {
    merchant_id: String(merchant_id),
    account_id: String(account_id),
    order_no: String(order_no),
    amount: String(amount),
    currency: String(currency),
    transaction_id: '00012345678901234567',
    card: '411111******1111',
    order_status: '1',
    result_info: '0000:Success',
    contract_name: '',
    recurring_id: '',
    recurring_deduction_period: '',
    recurring_deduction_time: '',
    note: '',
    connector: 'acme',
  };
}

/** An XML answer with these elements, signed as the tests' account. */
export function signedXml(elements: Record<string, string>, secret = account.signingSecret): string {
  return xml({ ...elements, encryption_data: sign(elements, secret) });
}

/** An XML answer with exactly these elements. */
export function xml(elements: Record<string, string>): string {
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
  const inner = Object.entries(elements).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<respon>${inner.join('')}</respon>`;
}

/** Answers 200 with an XML text. */
export function sendXml(res: ServerResponse, body: string): void {
  res.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' }).end(body);
}

/** Answers 200 with JSON, signed as the tests' account. */
export function sendSigned(res: ServerResponse, answer: object): void {
  const signed = { ...answer, encryption_data: sign({ ...answer }, account.signingSecret) };
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(signed));
}

/** Answers a query with these records, unsigned. */
export function sendRecords(res: ServerResponse, records: object[], change: object = {}): void {
  const { merchant_id, account_id } = account;
  const body = { merchant_id, account_id, return_status: '1', return_message: 'OK', orders_list: records, ...change };
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Approves every payment; queries find nothing. */
export const approving: Script = (received, res) => {
  if (received.path === '/v1/authorise') sendXml(res, signedXml(approval(received)));
  else sendRecords(res, []);
};

/** Declines every payment; queries find nothing. */
export const declining: Script = (received, res) => {
  if (received.path !== '/v1/authorise') return sendRecords(res, []);
  sendXml(res, signedXml({ ...approval(received), order_status: '0', result_info: '2001:Do not honour' }));
};

/** Never answers. */
export const hang: Script = () => undefined;

/** Closes the connection without an answer. */
export const drop: Script = (_received, _res, req) => void req.socket.destroy();

/** Resets the connection without an answer. */
export const reset: Script = (_received, _res, req) => void req.socket.resetAndDestroy();

/** Answers the messages in turn by these scripts, and all further ones by the last. */
export function inTurn(...scripts: readonly [Script, ...Script[]]): Script {
  let next = 0;
  return (...message) => {
    const script = scripts[Math.min(next++, scripts.length - 1)] ?? hang;
    script(...message);
  };
}
