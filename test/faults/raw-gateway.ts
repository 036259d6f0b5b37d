import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Received } from '../support/gateways/scripted-gateway.ts';
import { tcpServer } from '../support/http/tcp-server.ts';

/** One request as it stood on its connection, which is the `connection`th since the start. */
export type RawRequest = Received & { connection: number };

/**
 * A gateway of bare sockets for one test: it is told of every request when its last byte has come, and of every
 * connection when it opens.
 */
export async function rawGateway(on: {
  request(request: RawRequest, socket: Socket): void;
  connection?(socket: Socket, connection: number): void;
}) {
  const requests: RawRequest[] = [];
  let connections = 0;
  const server = await tcpServer((socket) => {
    connections += 1;
    const connection = connections;
    let bytes = '';
    on.connection?.(socket, connection);
    socket.setEncoding('utf8').on('data', (chunk) => {
      bytes += chunk;
      const [head = '', body] = bytes.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || Buffer.byteLength(body) < length) return;
      bytes = '';
      const contentType = /content-type: (\S+)/i.exec(head)?.[1] ?? '';
      const message: Record<string, unknown> = contentType.includes('json')
        ? JSON.parse(body)
        : Object.fromEntries(new URLSearchParams(body));
      const request = { path: head.split(' ')[1] ?? '', contentType, raw: body, message, connection };
      requests.push(request);
      on.request(request, socket);
    });
  });
  onTestFinished(server.close);
  return {
    url: `http://127.0.0.1:${server.port}`,
    authorised: () => requests.filter(({ path }) => path === '/v1/authorise'),
    connections: () => connections,
  };
}

/** An answer as it stands on the wire, keeping the connection open. */
export function answer(body: string, contentType = 'text/xml'): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
