import { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { obliging } from '../../support/gateways/compliant-gateway.ts';
import { notifyPath } from '../../support/gateways/notified.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';

const MIB = 1_048_576;

async function setUp() {
  const gateway = await scriptedGateway(obliging);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { store: 'sqlite::memory:' } });
  const { id, secret } = await relay.session();
  return { relay, secret, notify: notifyPath(relay, id) };
}

/** Writes the whole request before it reads a byte, as many clients do. Returns what it can read then. */
async function writeThenRead(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = new Socket().pause().connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('error', () => undefined);
  const closed = new Promise((done) => socket.once('close', done));
  await new Promise((written) => socket.write(request, written));
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.resume();
  await closed;
  return received;
}

const head = (path: string, bearer: string, lines: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: relay\r\nConnection: close\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: application/json\r\n${lines}\r\n`;

const withLength = (path: string, bearer: string, bytes: number): string =>
  `${head(path, bearer, `Content-Length: ${bytes}\r\n`)}${'x'.repeat(bytes)}`;

const inChunks = (path: string, bearer: string, bytes: number): string => {
  const size = 16_384;
  const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
  return `${head(path, bearer, 'Transfer-Encoding: chunked\r\n')}${chunk.repeat(bytes / size)}0\r\n\r\n`;
};

const longExtension = `${head('/v1/sessions', apiKey, 'Transfer-Encoding: chunked\r\n')}10;${'x'.repeat(20_000)}`;

it('lets each of 120 callers read why its body is refused', async () => {
  const { relay, secret, notify } = await setUp();
  const requests: [string, string, string][] = [
    ['with its length', '413', withLength('/v1/sessions', apiKey, 4 * MIB)],
    ['in chunks', '413', inChunks('/v1/sessions', apiKey, 4 * MIB)],
    ['of a notification', '413', withLength(notify, apiKey, 4 * MIB)],
    ['of a notification in chunks', '413', inChunks(notify, apiKey, 4 * MIB)],
    ['of a payment', '413', withLength('/checkout/api/pay', secret, 2 * MIB)],
    ['without a key', '401', withLength('/v1/sessions', 'wrong', 4 * MIB)],
    ['to an unknown address', '404', withLength('/v1/nothing', apiKey, 4 * MIB)],
    ['behind a long extension of a chunk', '413', `${longExtension}${'x'.repeat(2 * MIB)}`],
  ];
  for (let turn = 0; turn < 15; turn++) {
    const received = await Promise.all(requests.map(([, , request]) => writeThenRead(relay.url, request)));
    for (const [at, [what, status]] of requests.entries()) {
      expect(received[at]?.slice(0, 20), what).toContain(`HTTP/1.1 ${status} `);
      expect(received[at], what).toMatch(/\r\n\r\n\{.*"code":.*\}$/s);
    }
  }
});

it('closes the connection of a refused body that never ends', async () => {
  const { relay, notify } = await setUp();
  for (const path of ['/v1/sessions', notify]) {
    const { hostname, port } = new URL(relay.url);
    const socket = new Socket().connect(Number(port), hostname);
    socket.on('error', () => undefined).resume();
    const fault = await new Promise((written) => socket.write(inChunks(path, apiKey, 64 * MIB), written));
    expect(fault).toBeInstanceOf(Error);
  }
});
