import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { hostileBodies } from '../../corpus/bodies.ts';
import { sendBytes, sendRaw } from '../../corpus/raw-request.ts';
import { announced, hostileWire, unfinished } from '../../corpus/wire.ts';
import { obliging } from '../../support/gateways/compliant-gateway.ts';
import { approval, scriptedGateway, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';

const query = { orders: ['A'] };

async function setUp() {
  const gateway = await scriptedGateway(obliging);
  return startTestRelay({ gatewayUrl: gateway.url, config: { store: 'sqlite::memory:' } });
}

it('answers invalid HTTP with 4xx or nothing, and keeps running', async () => {
  const relay = await setUp();
  for (const [name, bytes] of Object.entries(hostileWire)) {
    const answer = await sendBytes(relay.url, Buffer.from(bytes, 'latin1'));
    expect(answer, name).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    if (answer !== '') expect(answer, name).toMatch(/X-Request-Id: .*"type":"urn:turnpike:problem:/s);
    expect(answer.match(/HTTP\/1\.1 /g)?.length ?? 0, name).toBeLessThan(2);
  }
  expect((await relay.get('/healthz')).status).toBe(200);
});

it('does not wait for a body announced as too large', async () => {
  const relay = await setUp();
  expect(await sendBytes(relay.url, announced)).toMatch(/^HTTP\/1\.1 413 .*"code":"body_too_large"/s);
});

it('answers other requests while a hundred requests never end', async () => {
  const relay = await setUp();
  const waiting = Object.values(unfinished).flatMap((bytes) =>
    Array.from({ length: 25 }, () => sendBytes(relay.url, bytes, 1500)),
  );
  for (let turn = 0; turn < 20; turn++) expect((await relay.post('/v1/query', apiKey, query)).status).toBe(200);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['']));
  expect((await relay.post('/v1/query', apiKey, query)).status).toBe(200);
});

/** Measures the memory in use after garbage collection. */
function memory(): () => number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  return () => {
    if (typeof collect === 'function') collect();
    return process.memoryUsage().heapUsed + process.memoryUsage().external;
  };
}

it('keeps nothing of two hundred megabytes of hostile requests', async () => {
  const relay = await setUp();
  const used = memory();
  const round = async (): Promise<void> => {
    for (const { bytes, headers } of hostileBodies) {
      const defaults = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      await sendRaw(`${relay.url}/v1/sessions`, { headers: { ...defaults, ...headers }, body: bytes });
    }
    await relay.post('/v1/sessions', apiKey, { order: { note: 'x'.repeat(1_000_000) } });
  };
  await round();
  const before = used();
  for (let turn = 0; turn < 8; turn++) await round();
  // Pools and compiled code take some megabytes, once; two hundred were sent. Connections of the last round may still
  // be closing, with their data.
  await vi.waitFor(() => expect(used() - before).toBeLessThan(25_000_000), { timeout: 300_000, interval: 200 });
});

/** A connection that is read only while a test listens. */
async function connection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

it('needs little memory for pipelined requests with unread answers', async () => {
  const relay = await setUp();
  const used = memory();
  const pipeline = 'GET /openapi.json HTTP/1.1\r\nHost: relay\r\n\r\n'.repeat(74_000);
  const sockets = await Promise.all([1, 2, 3].map(() => connection(relay.url)));
  const before = used();
  for (const socket of sockets) socket.write(pipeline);
  for (let turn = 0; turn < 20; turn++) expect((await relay.get('/healthz')).status).toBe(200);
  expect(used() - before).toBeLessThan(60_000_000);
});

it('starts a pipelined payment after the answer to the previous one', async () => {
  const held: (() => void)[] = [];
  const gateway = await scriptedGateway((received, res) => {
    held.push(() => sendXml(res, signedXml(approval(received))));
  });
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  const sessions = [await relay.session(), await relay.session()];
  const body = JSON.stringify(card);
  const payments = sessions.map(
    ({ secret }) =>
      `POST /checkout/api/pay HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const socket = await connection(relay.url);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(payments.join(''));
  await expect.poll(() => held.length).toBe(1);
  expect((await relay.get('/healthz')).status).toBe(200);
  expect(held).toHaveLength(1);
  held[0]?.();
  await expect.poll(() => held.length).toBe(2);
  expect(answer.match(/"status":"approved"/g)).toHaveLength(1);
  held[1]?.();
  await expect.poll(() => answer.match(/"status":"approved"/g)?.length).toBe(2);
});
