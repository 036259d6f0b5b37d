import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setUpNotified } from '../../support/gateways/notified.ts';
import { apiKey, card } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const MIB = 1_048_576;

describe('a notification that is too long', () => {
  it('is refused by its length alone, and closes its connection', async () => {
    const { gateway, relay, unknownPayment, stored } = await setUpNotified();
    const { path } = await unknownPayment();
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${MIB + 1}\r\n\r\n`;
    const sender = startSender(relay.url, head);
    await sender.closed;
    expect(sender.received()).toMatch(/^HTTP\/1\.1 413 .*body_too_large/s);
    expect(stored()).toEqual([]);
    expect(gateway.queried()).toHaveLength(0);
  });

  it('delays no payment while it arrives, and ends after megabytes', async () => {
    const { books, gateway, relay, unknownPayment, stored } = await setUpNotified();
    const { path } = await unknownPayment();
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const senders = Array.from({ length: 4 }, () => startSender(relay.url, head, { isEndless: true }));
    await until('more came than may', () => senders.every(({ sent }) => sent() > MIB));
    const session = await relay.session();
    books.set(session.orderNo, 'answered');
    expect((await relay.pay(session.secret, card)).body).toMatchObject({ status: 'approved' });
    await Promise.all(senders.map(({ closed }) => closed));
    for (const { received } of senders) expect(received()).toMatch(/^HTTP\/1\.1 413 .*body_too_large/s);
    expect(stored()).toEqual([]);
    expect(gateway.queried()).toHaveLength(0);
    expect((await relay.get(`/v1/sessions/${session.id}`, apiKey)).status).toBe(200);
  });

  it('is cut off a minute after its start if it never ends', async () => {
    const { relay } = await setUpNotified();
    const limits: unknown[] = [];
    const look = (started: unknown): void => void limits.push(timeLimitOf(started));
    subscribe(REQUEST_STARTED, look);
    onTestFinished(() => void unsubscribe(REQUEST_STARTED, look));
    await relay.get('/healthz');
    expect(limits).toEqual([60_000]);
  });
});

/** Node publishes each request on this channel that a server of this process begins to handle. */
const REQUEST_STARTED = 'http.server.request.start';

/** The time limit in milliseconds that Node sets for receiving a request, at the server that handles this one. */
function timeLimitOf(started: unknown): unknown {
  const server = typeof started === 'object' && started && 'server' in started ? started.server : undefined;
  return server instanceof Server ? server.requestTimeout : undefined;
}

const size = 65_536;
const chunk = Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), Buffer.alloc(size), Buffer.from('\r\n')]);

/** Sends a head, and then, for an endless body, chunks as fast as the server reads them. */
function startSender(url: string, head: string, { isEndless = false } = {}) {
  let received = '';
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((done) => socket.once('close', () => done()));
  socket.write(head);
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  if (isEndless) {
    socket.on('drain', write);
    write();
  }
  return { closed, received: () => received, sent: () => socket.bytesWritten };
}
