import type { ServerResponse } from 'node:http';

/**
 * Answers with JSON that nobody may keep. The head is written at once, because Express's `json` and `set` look up and write
 * every header by itself (`npm run bench -- relay`).
 */
export function sendJson(res: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
}
