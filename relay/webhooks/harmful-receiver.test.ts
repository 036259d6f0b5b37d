import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../test/support/time/until.ts';
import { createSender } from './send-webhook.ts';

const never = new AbortController().signal;
const hasty = createSender({ allow_private: true }, 1000);
/** One whose time is not over before a test's is: what ends with it ended for another reason. */
const patient = createSender({ allow_private: true }, 600_000);
afterAll(() => Promise.all([hasty.close(), patient.close()]));

describe('a receiver that means harm', () => {
  /** A receiver on a bare socket. `talk` writes whatever it likes, until the relay has closed the connection. */
  async function harmful(sender: typeof hasty, talk: (socket: Socket) => void) {
    const sockets: Socket[] = [];
    const listener = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => talk(socket));
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    onTestFinished(() => void listener.close());
    const address = listener.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const sent = await sender.send(`http://127.0.0.1:${port}/`, {}, '{}', never);
    const [socket] = sockets;
    await until('the connection is closed', () => socket?.closed ?? false);
    return { sent, written: socket?.bytesWritten ?? 0 };
  }

  /** Writes a piece again and again, as fast as the other side reads or every so many milliseconds. */
  function writing(socket: Socket, piece: string, everyMs = 0): void {
    const write = (): void => {
      if (socket.destroyed) return;
      if (everyMs > 0) socket.write(piece, () => setTimeout(write, everyMs));
      else if (socket.write(piece)) setImmediate(write);
      else socket.once('drain', write);
    };
    write();
  }

  it('cannot prolong a try with an answer sent byte by byte', async () => {
    const { sent } = await harmful(hasty, (socket) => writing(socket, 'H', 50));
    expect(sent).toMatchObject({ kind: 'refused' });
  });

  it('cannot prolong a try with a header sent byte by byte', async () => {
    const { sent } = await harmful(hasty, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      writing(socket, 'x', 50);
    });
    expect(sent).toEqual({ kind: 'refused', fault: 'timeout' });
  });

  it('cannot fill the memory with headers', async () => {
    const { sent, written } = await harmful(patient, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      writing(socket, `x: ${'y'.repeat(1000)}\r\n`);
    });
    expect(sent).toEqual({ kind: 'refused', fault: 'no_answer' });
    expect(written).toBeLessThan(8_000_000);
  });

  it.each([
    ['of a length that is given', 'content-length: 1000000000000\r\n\r\n', 'y'.repeat(65_536)],
    ['in pieces', 'transfer-encoding: chunked\r\n\r\n', `10000\r\n${'y'.repeat(65_536)}\r\n`],
    ['until it closes', 'connection: close\r\n\r\n', 'y'.repeat(65_536)],
  ])('cannot have an endless body read, %s', async (_, header, piece) => {
    const { sent, written } = await harmful(patient, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}`);
      writing(socket, piece);
    });
    expect(sent).toEqual({ kind: 'accepted' });
    // What fits into the buffers between two sockets.
    expect(written).toBeLessThan(16_000_000);
  });

  it('cannot keep a connection with a body that comes letter by letter', async () => {
    const { sent } = await harmful(hasty, (socket) => {
      socket.write('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n');
      writing(socket, '1\r\ny\r\n', 50);
    });
    expect(sent).toEqual({ kind: 'refused', fault: 'http_500' });
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['an answer before the answer, for ever', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('is no receiver when it answers %s', async (_, words) => {
    const { sent } = await harmful(hasty, (socket) => writing(socket, words, 20));
    expect(sent).toMatchObject({ kind: 'refused' });
  });
});
