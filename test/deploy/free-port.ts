import { tcpServer } from '../support/http/tcp-server.ts';

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = await tcpServer();
  await server.close();
  return server.port;
}
