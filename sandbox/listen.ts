import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Part } from './demo.ts';

export const HOST = '127.0.0.1';

/** A part of the sandbox cannot start. The message is printed in one line. */
export class CannotStart extends Error {
  readonly code = 'cannot_start';
  override readonly name = 'CannotStart';
}

export type Listening = {
  /** Without a slash at its end. */
  url: string;
  port: number;
  /** Stops listening and ends every open connection, with or without an answer. */
  close(): Promise<void>;
};

/** The port of a part from the environment, or its default; 0 is any free port. Throws CannotStart. */
export function portOf(part: Part, env: NodeJS.ProcessEnv): number {
  const value = env[part.variable];
  if (value === undefined || value === '') return part.port;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new CannotStart(`${part.variable} must be a port from 0 to 65535, not "${value}".`);
}

/** Serves an app on loopback. Throws CannotStart if the port is taken, or this user may not open it. */
export async function listen(app: RequestListener, port: number, part: Part): Promise<Listening> {
  const server = createServer(app);
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw portError(error, port, part);
  }
  const actual = portNumber(server.address());
  return {
    url: `http://${HOST}:${actual}`,
    port: actual,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Checks that a port is free for a process that will open it. Throws like `listen`. */
export async function checkFree(port: number, part: Part): Promise<void> {
  if (port === 0) return;
  const probe = await listen(() => {}, port, part);
  await probe.close();
}

function portError(error: unknown, port: number, { name, variable }: Part): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new CannotStart(`Port ${port} (${name}) is taken. Set ${variable} to another port, or stop what uses it.`);
  }
  if (code === 'EACCES') {
    return new CannotStart(`Port ${port} (${name}) needs more rights. Set ${variable} to a port above 1023.`);
  }
  return error;
}

function portNumber(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return address.port;
}
