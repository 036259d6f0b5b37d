import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { problems } from '../../shared/checkout/problem-codes.ts';
import { bodyOf } from '../support/http/http-server.ts';

/** An answer as received. */
export type RawAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

/** Headers of a request. Several values are sent as several lines. */
export type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Sends one request byte for byte, with the given headers and only Host, Connection and Content-Length in addition. */
export function sendRaw(
  url: string,
  { method = 'POST', headers = {}, body = Buffer.alloc(0) }: { method?: string; headers?: RawHeaders; body?: Buffer },
): Promise<RawAnswer> {
  return new Promise((fulfil, reject) => {
    const { hostname, port, origin } = new URL(url);
    const target = url.slice(origin.length);
    const sent = request({ hostname, port, path: target, method, agent: false }, async (res) => {
      fulfil({ status: res.statusCode ?? 0, headers: res.headers, text: await bodyOf(res) });
    });
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.setHeader(name, value);
    sent.setTimeout(60_000, () => sent.destroy(new Error(`${method} ${target.slice(0, 60)} hangs`)));
    sent.on('error', reject);
    sent.setHeader('content-length', body.length);
    sent.end(body);
  });
}

/** Writes text on a connection and returns everything received until either side closes it. */
export function sendBytes(url: string, bytes: string | Buffer, closeAfterMs = 30_000): Promise<string> {
  return new Promise((fulfil) => {
    const { hostname, port } = new URL(url);
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => fulfil(received));
    socket.setTimeout(closeAfterMs, () => socket.destroy());
  });
}

/** The error in an answer to a hostile request: undefined if it is a clear refusal with a known code. */
export function faultOf({ status, headers, text }: RawAnswer): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 500 || status < 400) return `status ${status}: ${text.slice(0, 200)}`;
  if (!headers['content-type']?.startsWith('application/problem+json')) return `no problem: ${headers['content-type']}`;
  const problem: unknown = JSON.parse(text);
  const code = typeof problem === 'object' && problem !== null && 'code' in problem ? String(problem.code) : '';
  const known = Object.entries(problems).find(([name]) => name === code)?.[1];
  if (known?.status !== status) return `the code ${code} does not go with ${status}`;
  if (text.length > 64_000) return `${text.length} characters of answer`;
  if (!headers['x-request-id']) return 'no X-Request-Id';
  if (!headers['turnpike-version']) return 'no Turnpike-Version';
  return undefined;
}

/** The `code` of a problem. */
export function codeOf({ text }: RawAnswer): unknown {
  const problem: unknown = JSON.parse(text);
  return typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : undefined;
}
