import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';

/** A real HTTP server on a free loopback port. */
export type TestServer = { url: string; port: number; server: Server; close(): Promise<void> };

/** Starts a server for one test, on a free port or a given one; `close` also ends open connections. */
export async function serve(listener: RequestListener, onPort = 0): Promise<TestServer> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(onPort, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    server,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The complete body of a request. */
export async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export type { IncomingMessage, ServerResponse };
