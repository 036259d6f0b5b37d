import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import express, { type RequestHandler } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_FILE_TEXT } from '../../shared/gateway/apm-payment.ts';
import { codeOf, type RawHeaders, sendRaw } from '../../test/corpus/raw-request.ts';
import { serve, type TestServer } from '../../test/support/http/http-server.ts';
import { createLog, currentTrace, traced } from '../base/log.ts';
import { problemHandler, sendJson } from './answer.ts';
import { readBodyIfAny, readJsonBody, readPlainJson } from './json-body.ts';
import { addRoute } from './serve.ts';

let server: TestServer;
let seen: unknown;
beforeAll(async () => {
  const app = express();
  app.use((_req, _res, next) => traced({ request_id: 'req_of_this_test' }, next));
  const router = express.Router();
  const echo =
    (read: typeof readBodyIfAny): RequestHandler =>
    async (req, res) => {
      const body = await read(req, res);
      seen = currentTrace().request_id;
      sendJson(res, { body });
    };
  addRoute(router, '/echo', { post: [echo(readJsonBody)] });
  addRoute(router, '/echo-with-file', { post: [echo((req, res) => readJsonBody(req, res, MAX_FILE_TEXT))] });
  addRoute(router, '/echo-if-any', { post: [echo(readBodyIfAny)] });
  app.use(router);
  app.use(problemHandler(createLog('silent')));
  server = await serve(app);
});
afterAll(() => server.close());

const post = async (body: Buffer, headers: RawHeaders, path = '/echo') => {
  const answer = await sendRaw(`${server.url}${path}`, { headers, body });
  return { status: answer.status, told: answer.status === 200 ? JSON.parse(answer.text) : codeOf(answer) };
};

const MIB = 1_048_576;
const padded = (length: number): Buffer => Buffer.from(`{"a":"${'x'.repeat(length - 8)}"}`);

const bodies: Readonly<Record<string, { body: Buffer; status: number }>> = {
  'an object': { body: Buffer.from('{"card":"4111","name":"São 😀"}'), status: 200 },
  'a list': { body: Buffer.from('[1,2]'), status: 200 },
  'an object behind white space': { body: Buffer.from(' \r\n\t{"a":1} \n'), status: 200 },
  'an object behind a byte order mark': { body: Buffer.from('\ufeff{"a":1}'), status: 200 },
  'a byte order mark alone': { body: Buffer.from('\ufeff'), status: 200 },
  'two byte order marks': { body: Buffer.from('\ufeff\ufeff{"a":1}'), status: 400 },
  'names that are special to JavaScript': { body: Buffer.from('{"__proto__":{"a":1},"constructor":2}'), status: 200 },
  'a name twice': { body: Buffer.from('{"a":1,"a":2}'), status: 200 },
  'half a surrogate pair': { body: Buffer.from('{"a":"\\ud800"}'), status: 200 },
  'white space alone': { body: Buffer.from('  '), status: 400 },
  'a text': { body: Buffer.from('"a"'), status: 400 },
  'a number': { body: Buffer.from('1'), status: 400 },
  null: { body: Buffer.from('null'), status: 400 },
  'two objects': { body: Buffer.from('{}{}'), status: 400 },
  'a cut object': { body: Buffer.from('{"a":'), status: 400 },
  'bytes that are not UTF-8': { body: Buffer.from('{"a":"\xe9"}', 'latin1'), status: 400 },
  'UTF-16': { body: Buffer.from('\ufeff{"a":1}', 'utf16le'), status: 400 },
  'objects in objects': { body: Buffer.from('{"a":'.repeat(500) + 1 + '}'.repeat(500)), status: 200 },
  '1 MiB': { body: padded(MIB), status: 200 },
  'more than 1 MiB': { body: padded(MIB + 1), status: 413 },
  'too large, a list': { body: Buffer.from(`["${'x'.repeat(MIB)}"]`), status: 413 },
  'too large, a text': { body: Buffer.from(`"${'x'.repeat(MIB)}"`), status: 413 },
  'too large, cut': { body: padded(MIB + 2).subarray(0, -1), status: 413 },
  'too large, no UTF-8': {
    body: Buffer.concat([padded(MIB), Buffer.from('\xe9', 'latin1')]),
    status: 413,
  },
};
const plainType = { 'content-type': 'application/json' };
/** A parameter or an encoding makes Express's parser read a body. */
const parsedBy: readonly RawHeaders[] = [
  { 'content-type': 'application/json; charset=utf-8' },
  { ...plainType, 'content-encoding': 'identity' },
];

describe('a JSON body', () => {
  for (const [what, { body, status }] of Object.entries(bodies)) {
    it(`is read alike by both readers: ${what}`, async () => {
      const plain = await post(body, plainType);
      expect(plain.status).toBe(status);
      for (const headers of parsedBy) expect(await post(body, headers)).toEqual(plain);
      expect(await post(body, plainType, '/echo-if-any')).toEqual(plain);
      for (const headers of [plainType, ...parsedBy]) {
        expect(await post(body, headers, '/echo-with-file')).toEqual(plain);
      }
    });
  }

  it('is too large packed or unpacked, though it is no JSON', async () => {
    const packed = { ...plainType, 'content-encoding': 'gzip' };
    const tooLarge = { status: 413, told: 'body_too_large' };
    const cut = gzipSync(randomBytes(2 * MIB)).subarray(0, -1);
    for (const path of ['/echo', '/echo-with-file']) {
      expect(await post(gzipSync(Buffer.alloc(2 * MIB, 'x')), packed, path)).toEqual(tooLarge);
      expect(await post(cut, packed, path)).toEqual(tooLarge);
    }
  });

  it('has a type, and no encoding that is unknown', async () => {
    const body = Buffer.from('{"a":1}');
    for (const type of [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      expect(await post(body, { 'content-type': type })).toEqual({ status: 415, told: 'unsupported_media_type' });
    }
    for (const headers of [{ 'content-encoding': 'zip' }, { 'content-type': 'application/json; charset=latin1' }]) {
      const answer = await post(body, { 'content-type': 'application/json', ...headers });
      expect(answer).toEqual({ status: 415, told: 'unsupported_media_type' });
    }
  });

  it('may be left out where there is nothing to say', async () => {
    expect(await post(Buffer.alloc(0), {}, '/echo-if-any')).toEqual({ status: 200, told: { body: {} } });
    const typed = await post(Buffer.from('x'), { 'content-type': 'text/plain' }, '/echo-if-any');
    expect(typed).toEqual({ status: 415, told: 'unsupported_media_type' });
  });

  it('may have no length, and is empty then', async () => {
    const withoutLength = async (head: string): Promise<string> => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.write(`POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n`);
      return text(socket);
    };
    expect(await withoutLength('Content-Type: application/json\r\n')).toMatch(/^HTTP\/1\.1 200 .*{"body":{}}$/s);
    expect(await withoutLength('')).toMatch(/^HTTP\/1\.1 415 /);
  });

  it('leaves what follows in the trace of its request', async () => {
    await post(Buffer.from('{}'), { 'content-type': 'application/json' });
    expect(seen).toBe('req_of_this_test');
  });

  const truncated =
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":';

  it('is none when its caller goes in the middle of it', async () => {
    const { promise: read, resolve } = Promise.withResolvers<unknown>();
    const rude = await serve((req) => {
      req.once('data', () => socket.destroy());
      resolve(readPlainJson(req));
    });
    const socket = connect(rude.port, '127.0.0.1', () => socket.write(truncated));
    expect(await read).toBeUndefined();
    await rude.close();
  });

  it('is none when its caller went before it was read', async () => {
    const { promise: read, resolve } = Promise.withResolvers<unknown>();
    const rude = await serve((req) => {
      req.once('close', () => resolve(readPlainJson(req)));
      socket.destroy();
    });
    const socket = connect(rude.port, '127.0.0.1', () => socket.write(truncated));
    expect(await read).toBeUndefined();
    await rude.close();
  });
});
