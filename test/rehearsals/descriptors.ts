import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Rehearsal } from './harness/rehearsal.ts';

const DESCRIPTORS = 64;
const IDLE = 300;
const HELD_MS = 10_000;

/** The longest time until a busy relay logs the loss. */
const NAMED_MS = 120_000;

/** Idle connections use all file descriptors of the relay. */
export const descriptors: Rehearsal = {
  breaks: `${IDLE} idle connections take the ${DESCRIPTORS} descriptors of a relay for ${HELD_MS / 1000} s or longer`,
  stage: {
    store: 'sqlite',
    relays: 1,
    // Long limits, so that the relay does not close the idle connections.
    settings: () => ({ server: { headers_ms: 600_000, request_ms: 600_000 } }),
    relay: () => ({ through: ['sh', '-c', `ulimit -n ${DESCRIPTORS} && exec "$@"`, 'sh'] }),
  },
  async run({ relays: [relay] }) {
    const sockets = Array.from({ length: IDLE }, () => idle(relay.url));
    const start = performance.now();
    const isNamed = (): boolean => /"part":"(?:descriptors|connections)"/.test(readFileSync(relay.log, 'utf8'));
    // Connections that the relay closes are opened again, as clients do.
    const isHeld = (ms: number): boolean => performance.now() - start < (isNamed() ? HELD_MS : ms);
    while (isHeld(NAMED_MS)) {
      await setTimeout(200);
      for (const [at, socket] of sockets.entries()) if (socket.closed) sockets[at] = idle(relay.url);
    }
    await Promise.all(sockets.map((socket) => (socket.closed ? undefined : once(socket.destroy(), 'close'))));
    return { wrong: isNamed() ? [] : ['the log does not name the lost descriptors or connections'] };
  },
};

function idle(url: string): Socket {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.resume();
  return socket;
}
