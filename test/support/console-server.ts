import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

/**
 * The console's page as it was built, on a server of its own over the HTTP API of a relay, by one of its API keys.
 * `PASSWORD` lets one person in.
 */
export type ConsoleOptions = { relay: string; apiKey: string; confirmAbove?: Record<string, string> };

export const PASSWORD = 'let me in';

/** What a test can do to the console's server. */
export type ConsoleServer = {
  url: string;
  /** Ends every sign-in. */
  expire: () => void;
  /** Loses the answers of so many of the next requests that change something, after they were done. */
  loseAnswers: (count: number) => void;
  close: () => Promise<void>;
};

const dist = join(import.meta.dirname, '../../dist/console');

/** Starts it on a free port of loopback. */
export async function startConsoleServer(options: ConsoleOptions, port = 0): Promise<ConsoleServer> {
  const state = { sessions: new Set<string>(), toLose: 0 };
  const server = createServer((req, res) => {
    answer(options, state, req, res).catch(() => res.destroy());
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const address = server.address();
  const at = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${at}`,
    expire: () => state.sessions.clear(),
    loseAnswers: (count) => {
      state.toLose = count;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

type State = { sessions: Set<string>; toLose: number };

async function answer(options: ConsoleOptions, state: State, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(req.url ?? '/', 'http://127.0.0.1');
  if (!pathname.startsWith('/console/api/')) return page(pathname, res);
  const body = await bodyOf(req);
  const session = /session=(\w+)/.exec(req.headers.cookie ?? '')?.[1] ?? '';
  if (pathname === '/console/api/sign-in') {
    if (!body.includes(PASSWORD)) return problem(res, 401, 'unauthorized');
    const id = crypto.randomUUID().replaceAll('-', '');
    state.sessions.add(id);
    res.setHeader('Set-Cookie', `session=${id}; HttpOnly; SameSite=Strict; Path=/`);
    return json(res, 200, me(options, id));
  }
  if (!state.sessions.has(session)) return problem(res, 401, 'unauthorized');
  if (pathname === '/console/api/me') return json(res, 200, me(options, session));
  if (req.method === 'POST' && req.headers['x-csrf-token'] !== session) return problem(res, 403, 'csrf');
  if (pathname === '/console/api/sign-out') {
    state.sessions.delete(session);
    return void res.writeHead(204).end();
  }
  if (pathname.endsWith('/live')) return live(options, req, res);
  await proxy(options, state, req, res, `${pathname.replace(/^\/console\/api\/[^/]+/, '')}${search}`, body);
}

function me({ confirmAbove }: ConsoleOptions, csrf: string): object {
  const accounts = [{ id: 'demo', name: 'Folha' }];
  return { name: 'Ada', scopes: ['*'], accounts, csrf, ...(confirmAbove ? { confirm_above: confirmAbove } : {}) };
}

async function proxy(
  { relay, apiKey }: ConsoleOptions,
  state: State,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  body: string,
): Promise<void> {
  const headers = new Headers({ Authorization: `Bearer ${apiKey}` });
  for (const name of ['accept', 'content-type', 'idempotency-key']) {
    const value = req.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const isPost = req.method === 'POST';
  const response = await fetch(`${relay}${path}`, {
    method: req.method ?? 'GET',
    headers,
    ...(isPost ? { body } : {}),
  });
  const text = await response.text();
  if (isPost && state.toLose > 0) {
    state.toLose--;
    res.destroy();
    return;
  }
  for (const name of ['content-type', 'x-operation-id', 'retry-after']) {
    const value = response.headers.get(name);
    if (value !== null) res.setHeader(name, value);
  }
  res.writeHead(response.status).end(text);
}

/** Tells of webhooks as they are written, by asking the relay for its newest. */
async function live({ relay, apiKey }: ConsoleOptions, req: IncomingMessage, res: ServerResponse): Promise<void> {
  let newest: string | undefined;
  const look = async (): Promise<void> => {
    const response = await fetch(`${relay}/v1/events?limit=1`, { headers: { Authorization: `Bearer ${apiKey}` } });
    const text = await response.text();
    const id = /"id":"([^"]+)"/.exec(text)?.[1];
    if (id !== undefined && newest !== undefined && id !== newest) {
      res.write(`event: change\nid: ${id}\ndata: ${JSON.stringify({ type: 'session.approved', subject: id })}\n\n`);
    }
    newest = id ?? '';
  };
  await look();
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  res.write(': hello\n\n');
  const timer = setInterval(() => void look().catch(() => undefined), 300);
  req.on('close', () => clearInterval(timer));
}

function page(pathname: string, res: ServerResponse): void {
  const manifest: unknown = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
  const asset = /^\/console\/assets\/([\w-]+\.(js|css))$/.exec(pathname);
  if (asset?.[1]) {
    res.setHeader('Content-Type', asset[2] === 'js' ? 'text/javascript' : 'text/css');
    return void res.end(readFileSync(join(dist, asset[1])));
  }
  const named = (name: string): string => {
    const value = typeof manifest === 'object' && manifest !== null ? Object.entries(manifest) : [];
    return String(value.find(([key]) => key === name)?.[1]);
  };
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  );
  res.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Turnpike console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/assets/${named('style')}">
<script type="module" src="/console/assets/${named('script')}"></script>
</head>
<body><div id="console"></div></body>
</html>
`);
}

function json(res: ServerResponse, status: number, value: object): void {
  res.setHeader('Content-Type', 'application/json');
  res.writeHead(status).end(JSON.stringify(value));
}

function problem(res: ServerResponse, status: number, code: string): void {
  json(res, status, { type: 'about:blank', title: code, status, detail: code, code });
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
