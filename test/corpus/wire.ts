import { apiKey } from '../support/relays/relay.ts';

const body = '{"orders":["A"]}';
const size = body.length;

/** The head of a valid request with these lines added. */
const query = (lines: string): string =>
  `POST /v1/query HTTP/1.1\r\nHost: relay\r\nConnection: close\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n${lines}\r\n`;

const chunked = (chunks: string): string => `${query('Transfer-Encoding: chunked\r\n')}${chunks}`;

/** Bytes that are not an HTTP request, or ambiguous between one and two: each gets an HTTP 4xx or no answer. */
export const hostileWire: Readonly<Record<string, string>> = {
  'a length that is too short': `${query('Content-Length: 5\r\n')}${body}`,
  'a negative length': `${query('Content-Length: -1\r\n')}${body}`,
  'a length in words': `${query('Content-Length: ten\r\n')}${body}`,
  'a length beyond every number': `${query(`Content-Length: ${'9'.repeat(30)}\r\n`)}${body}`,
  'two lengths': `${query(`Content-Length: ${size}\r\nContent-Length: 3\r\n`)}${body}`,
  'a length and chunks': `${query(`Content-Length: ${size}\r\nTransfer-Encoding: chunked\r\n`)}0\r\n\r\n`,
  'an unknown transfer encoding': `${query('Transfer-Encoding: xchunked\r\n')}${body}`,
  'chunks that are not the last encoding': `${query('Transfer-Encoding: chunked, identity\r\n')}${body}`,
  'a chunk whose size is no number': chunked(`zz\r\n${body}\r\n0\r\n\r\n`),
  'a chunk of a negative size': chunked(`-5\r\n${body}\r\n0\r\n\r\n`),
  'a chunk larger than every number': chunked(`${'f'.repeat(20)}\r\n${body}\r\n0\r\n\r\n`),
  'a chunk with a very long extension': chunked(`10;${'x'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`),
  'no Host': 'POST /v1/query HTTP/1.1\r\n\r\n',
  'a version that is still to come': 'GET /healthz HTTP/3.0\r\n\r\n',
  'line ends without carriage return': 'GET /healthz HTTP/1.1\nHost: relay\n\n',
  'a method in small letters': 'post /v1/query HTTP/1.1\r\nHost: relay\r\n\r\n',
  'a target with a space': 'GET /a b HTTP/1.1\r\nHost: relay\r\n\r\n',
  'a target of raw bytes': 'GET /\xff\xfe HTTP/1.1\r\nHost: relay\r\n\r\n',
  'a target that is no path': 'GET foo HTTP/1.1\r\nHost: relay\r\n\r\n',
  'a target of 20,000 characters': `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: relay\r\n\r\n`,
  'a tunnel': 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere\r\n\r\n',
  'a name of a header with a space': query('X-A : b\r\n'),
  'a header over two lines': query('X-A: b\r\n c\r\n'),
  'a header with NUL': query('X-A: b\0c\r\n'),
  'a header with a bare carriage return': query('X-A: b\rX-B: c\r\n'),
  'a header of 20,000 characters': query(`X-A: ${'x'.repeat(20_000)}\r\n`),
  'three thousand headers': query('X-A: b\r\n'.repeat(3000)),
  'an Idempotency-Key with DEL': query('Idempotency-Key: a\x7fb\r\nContent-Length: 0\r\n'),
  'the greeting of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'the greeting of SSH': 'SSH-2.0-scan\r\n',
};

/** Requests that never end. They need no answer, but must not block other requests. */
export const unfinished: Readonly<Record<string, string>> = {
  'half a head': 'POST /v1/query HTTP/1.1\r\nHost: relay\r\nAuth',
  'a length that is too long': `${query('Content-Length: 500\r\n')}${body}`,
  'chunks without an end': chunked(`${size.toString(16)}\r\n${body}\r\n`),
  nothing: '\r\n\r\n',
};

/** The head of a body that is announced as too large. */
export const announced = query('Content-Length: 9999999999\r\n');
