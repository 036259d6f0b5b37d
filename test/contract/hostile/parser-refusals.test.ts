import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { faultOf, sendBytes } from '../../corpus/raw-request.ts';
import { approval, scriptedGateway, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, order, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const start = async () => startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });

/** An answer as on the wire. */
function read(answer: string) {
  const [head = '', text = ''] = answer.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => line.split(/: (.*)/s)).map(([n = '', v]) => [n.toLowerCase(), v]),
  );
  return { status: Number(first.split(' ')[1]), headers, text };
}

const get = 'GET /healthz HTTP/1.1\r\n';
const post = `POST /v1/sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';

it.each([
  ['no HTTP', 'nonsense\r\n\r\n', 400, 'malformed_request'],
  ['a header without a name', `${get}Host: a\r\n: x\r\n\r\n`, 400, 'malformed_request'],
  ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 400, 'malformed_request'],
  ['a chunk without a length', `${post}${chunked}zz\r\n`, 400, 'malformed_request'],
  ['a chunk with a long extension', `${post}${chunked}1;${'x'.repeat(20_000)}\r\n`, 413, 'body_too_large'],
  ['no Host', `${get}\r\n`, 400, 'malformed_request'],
  ['two Hosts', `${get}Host: a\r\nHost: b\r\n\r\n`, 400, 'malformed_request'],
  ['the same Host twice', `${get}Host: a\r\nhOST: a\r\n\r\n`, 400, 'malformed_request'],
  ['two Hosts in HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'malformed_request'],
  ['an expectation', `${get}Host: a\r\nExpect: miracles\r\n\r\n`, 417, 'expectation_failed'],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  ['large headers', `${get}Host: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
])('refuses %s with a problem and an id', async (_what, bytes, status, code) => {
  const relay = await start();
  const answer = read(await sendBytes(relay.url, bytes));
  expect(answer).toMatchObject({
    status,
    headers: { 'x-request-id': expect.stringMatching(/^req_/), connection: 'close' },
  });
  expect(faultOf(answer)).toBeUndefined();
  expect(JSON.parse(answer.text)).toMatchObject({ code, status, type: `urn:turnpike:problem:${code}` });
  const logged = relay.logLines.find((line) => line.includes(String(answer.headers['x-request-id'])));
  expect(logged).toContain(`"code":"${code}"`);
});

it('accepts HTTP/1.0 without Host, and answers an Expect header', async () => {
  const relay = await start();
  expect(read(await sendBytes(relay.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  const body = JSON.stringify({ order: order() });
  const asked = `${post}Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  expect(await sendBytes(relay.url, asked)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
});

it.each(['nonsense\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'])(
  'never takes a refusal of %j as the previous payment’s answer',
  async (next) => {
    let answer = (): void => undefined;
    const gateway = await scriptedGateway((received, res) => {
      answer = () => sendXml(res, signedXml(approval(received)));
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const card = { card: '4111111111111111', expiration_month: '12', expiration_year: '2030' };
    const body = JSON.stringify({ ...order(), ...card });
    const { hostname, port } = new URL(relay.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    const closed = new Promise((done) => socket.on('close', done));
    socket
      .on('error', () => undefined)
      .on('data', (part) => {
        text += part;
      });
    socket.write(`${post.replace('/v1/sessions', '/v1/payments')}Content-Length: ${body.length}\r\n\r\n${body}`);
    await until('the gateway has the payment', () => gateway.authorised().length === 1);
    socket.write(next);
    await closed;
    expect(text).toBe('');
    answer();
  },
);
