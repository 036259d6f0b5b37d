import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../test/support/http-server.ts';
import { until } from '../../test/support/until.ts';
import { sha256 } from '../base/keys.ts';
import { type BodyLimits, type Received, receiveBody } from './receive-body.ts';

const MIB = 1_048_576;
const limits: BodyLimits = { bytes: 4 * MIB, kept: 1000, ms: 5000 };

/** A server that takes one body, and a request to it that the test writes. */
async function setUp(given: Partial<BodyLimits> = {}, headers: Record<string, string> = {}) {
  const { promise, resolve } = Promise.withResolvers<Received>();
  const server = await serve((req, res) => {
    receiveBody(req, { ...limits, ...given }).then((received) => {
      resolve(received);
      res.end();
    });
  });
  onTestFinished(server.close);
  let socket: Socket | undefined;
  server.server.on('connection', (opened: Socket) => {
    socket = opened;
  });
  const sent = request(server.url, { method: 'POST', headers });
  sent.on('error', () => undefined);
  onTestFinished(() => void sent.destroy());
  return { sent, received: promise, taken: () => socket?.bytesRead ?? 0 };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

describe('a body that is received', () => {
  it.each([0, 1, 1000])('is counted, hashed and kept when it has %i bytes', async (bytes) => {
    const { sent, received } = await setUp();
    const body = Buffer.alloc(bytes, 'x');
    sent.end(body);
    expect(await received).toEqual({ kind: 'whole', bytes, sha256: sha256(body), content: body });
  });

  it('is counted and hashed, and not kept, when it is long', async () => {
    const { sent, received } = await setUp();
    const body = Buffer.alloc(3 * MIB, 'x');
    sent.end(body);
    expect(await received).toEqual({ kind: 'whole', bytes: body.length, sha256: sha256(body) });
  });

  it('takes no more memory the longer it is', async () => {
    const { sent, taken } = await setUp({ bytes: 64 * MIB });
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 48; n++) sent.write(Buffer.alloc(MIB));
    await until('it came', () => taken() >= 48 * MIB);
    const more = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers - before;
    };
    // What is not needed any more is given back a moment later.
    await expect.poll(more).toBeLessThan(16 * MIB);
  });

  it('is hashed in the order in which its parts come', async () => {
    const { sent, received } = await setUp();
    for (const part of ['one', 'two', 'three']) {
      sent.write(part);
      await new Promise((later) => setTimeout(later, 10));
    }
    sent.end();
    expect(await received).toMatchObject({ kind: 'whole', sha256: sha256('onetwothree') });
  });

  it('is too large as soon as its length says so', async () => {
    const { sent, received } = await setUp({}, { 'content-length': String(limits.bytes + 1) });
    sent.flushHeaders();
    expect(await received).toEqual({ kind: 'too_large' });
  });

  it('is too large when more comes than may, though it never ends', async () => {
    const { sent, received } = await setUp();
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536);
      })(),
    );
    endless.pipe(sent);
    expect(await received).toEqual({ kind: 'too_large' });
    endless.destroy();
  });

  it('is cut off when it takes too long, though something comes all the time', async () => {
    const { sent, received } = await setUp({ ms: 100 });
    const dripping = setInterval(() => sent.write('x'), 10);
    onTestFinished(() => clearInterval(dripping));
    expect(await received).toEqual({ kind: 'cut_off' });
  });

  it('is cut off when its sender goes away', async () => {
    const { sent, received } = await setUp();
    sent.write('half');
    await once(sent, 'socket');
    setTimeout(() => sent.destroy(), 20);
    expect(await received).toEqual({ kind: 'cut_off' });
  });
});
