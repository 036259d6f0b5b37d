import { createServer, type Socket } from 'node:net';

/** A real TCP server on a free loopback port, for behaviour outside HTTP. */
export type TcpServer = { port: number; close(): Promise<void> };

/** Starts one; `close` also ends its connections. Sockets are read, so that they detect when the other side closes. */
export async function tcpServer(onConnection: (socket: Socket) => void = () => undefined): Promise<TcpServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    onConnection(socket);
    socket.resume();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of open) socket.destroy();
      }),
  };
}
