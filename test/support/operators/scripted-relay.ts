import type { IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { type ClientOptions, createClient } from '../../../client/index.ts';
import { problems } from '../../../shared/checkout/problem-codes.ts';
import { bodyOf, serve } from '../http/http-server.ts';

/** The response of a scripted relay to one request. */
export type Reply =
  | { status: number; headers?: Record<string, string>; body: unknown }
  /** Cuts the connection, or never answers. */
  | 'drop'
  | 'hang';

/** One received request. */
type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

export const scriptedKey = 'sk_test_k3y-that-nothing-may-show';

/**
 * A relay that answers with these replies in turn, repeating the last one, and a client of it whose waits are
 * recorded.
 */
export async function scriptedRelay(...replies: [Reply, ...Reply[]]) {
  const asked: Asked[] = [];
  const server = await serve(async (req, res) => {
    const { method = '', url: path = '', headers } = req;
    const reply = replies[Math.min(asked.length, replies.length - 1)] ?? replies[0];
    asked.push({ method, path, headers, body: await bodyOf(req) });
    if (reply === 'hang') return;
    if (reply === 'drop') return void res.destroy();
    res.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    res.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  });
  onTestFinished(server.close);
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ url: server.url, apiKey: scriptedKey, wait, ...options });
  return { ...server, asked, waits, client };
}

/** A problem as the relay writes it. */
export function problemReply(
  code: keyof typeof problems,
  more: object = {},
  headers: Record<string, string> = {},
): Reply {
  const { status, title } = problems[code];
  const body = { type: `urn:turnpike:problem:${code}`, title, status, detail: 'Do otherwise.', code, ...more };
  return { status, body, headers: { 'content-type': 'application/problem+json', ...headers } };
}
