import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../../test/support/http/http-server.ts';
import { oneAtATime } from './pipelining.ts';

const get = (path: string, lines = ''): string => `GET ${path} HTTP/1.1\r\nHost: relay\r\n${lines}\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: relay\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** A server that answers one request at a time, and a connection to it. `begun` has the requests that began, `parsed` the number that Node read. */
async function setUp(answer: (path: string, res: ServerResponse) => void) {
  const begun: string[] = [];
  let parsed = 0;
  const listener: RequestListener = (req, res) => {
    begun.push(req.url ?? '');
    let body = '';
    req.on('data', (chunk) => {
      body += chunk;
    });
    req.on('end', () => answer(`${req.url}${body}`, res));
  };
  const server = await serve(oneAtATime(listener));
  server.server.on('request', () => {
    parsed += 1;
  });
  onTestFinished(server.close);
  const socket = await new Promise<Socket>((done) => {
    const made: Socket = connect(server.port, '127.0.0.1', () => done(made));
  });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  let heard = '';
  const listen = () =>
    socket.on('data', (chunk) => {
      heard += chunk;
    });
  return { begun, socket, listen, parsed: () => parsed, heard: () => heard };
}

it('begins a pipelined request after the answer before it', async () => {
  const held: ServerResponse[] = [];
  const { begun, socket, listen, heard, parsed } = await setUp((path, res) => {
    if (path === '/a') held.push(res);
    else res.end(`<${path}>`);
  });
  listen();
  socket.write(get('/a') + post('/b', 'body') + get('/c'));
  await expect.poll(parsed).toBe(3);
  await expect.poll(() => held.length).toBe(1);
  expect(begun).toEqual(['/a']);
  held[0]?.end('</a>');
  await expect.poll(() => heard().match(/<.*?>/g)).toEqual(['</a>', '</bbody>', '</c>']);
});

it('reads a body that comes in many pieces behind other requests', async () => {
  const { socket, listen, heard } = await setUp((path, res) => res.end(`<${path.length}>`));
  listen();
  const body = 'x'.repeat(3_000_000);
  socket.write(get('/a').repeat(2000) + post('/b', body) + get('/c'));
  await expect.poll(() => heard().match(/<\d+>/g)?.length).toBe(2002);
  expect(heard()).toContain(`<${body.length + 2}>`);
});

it('leaves what a caller does not read to the socket', async () => {
  const { begun, socket, parsed } = await setUp((_path, res) => res.end('x'.repeat(500_000)));
  const all = 200_000;
  socket.write(get('/a').repeat(all));
  await expect.poll(() => begun.length).toBeGreaterThan(1);
  // It goes on until the answers fill the buffers of the connection.
  const seen: number[] = [];
  const isStill = () => seen.push(begun.length) > 1 && seen.at(-1) === seen.at(-2);
  await expect.poll(isStill, { interval: 500 }).toBe(true);
  expect(begun.length).toBeLessThan(100);
  expect(parsed()).toBeLessThan(begun.length + 4000);
});

it('begins nothing behind the last answer of a connection', async () => {
  const { begun, socket, listen, heard } = await setUp((path, res) => {
    if (path === '/b') res.setHeader('Connection', 'close');
    res.end(path);
  });
  listen();
  socket.write(get('/a') + get('/b') + get('/c'));
  await expect.poll(() => socket.destroyed).toBe(true);
  expect(begun).toEqual(['/a', '/b']);
  expect(heard()).not.toContain('/c');
});

it('begins nothing when the caller has gone', async () => {
  const held: ServerResponse[] = [];
  const { begun, socket } = await setUp((_path, res) => void held.push(res));
  socket.write(get('/a') + get('/b'));
  await expect.poll(() => held.length).toBe(1);
  socket.resetAndDestroy();
  held[0]?.end('x');
  await new Promise((done) => held[0]?.once('close', done));
  expect(begun).toEqual(['/a']);
});
