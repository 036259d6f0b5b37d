import { redirection } from './issuer.ts';
import { approval, type Received, type Script, signedXml } from './scripted-gateway.ts';

/** The elements of the correct answer to a payment of either kind. */
export function due(received: Received): Record<string, string> {
  const isApm = received.message.payment_method !== undefined;
  return isApm ? redirection(received, 'https://issuer.example/') : approval(received);
}

/** Bytes. */
export const MIB = 1024 * 1024;
/** The correct answer. */
export const good = (received: Received): string => signedXml(due(received));

/** Bytes on the socket itself, as no HTTP server would write them. */
export const onTheWire =
  (bytes: (received: Received) => string | Buffer, end: 'open' | 'close' | 'reset' = 'close'): Script =>
  (received, _res, req) => {
    req.socket.write(bytes(received), () => {
      if (end === 'close') req.socket.end();
      if (end === 'reset') req.socket.resetAndDestroy();
    });
  };
/** The first lines of an answer; each further header ends with a line end. */
export const head = (headers: string, status = '200 OK', version = '1.1'): string =>
  `HTTP/${version} ${status}\r\ncontent-type: text/xml\r\n${headers}\r\n`;
/** A complete answer that announces `more` bytes than follow. */
export const sized = (body: string, more = 0): string =>
  `${head(`content-length: ${Buffer.byteLength(body) + more}\r\n`)}${body}`;
/** The correct answer under the wrong status. */
export const status =
  (code: number, headers: Record<string, string> = {}): Script =>
  (received, res) =>
    void res.writeHead(code, headers).end(good(received));
/** Status 200 with a body of the test. */
export const body =
  (text: (received: Received) => string | Buffer): Script =>
  (received, res) =>
    void res.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' }).end(text(received));
/** A body that is compressed, or declared so. */
export const encoded =
  (encoding: string, bytes: (received: Received) => Buffer): Script =>
  (received, res) =>
    void res.writeHead(200, { 'content-encoding': encoding }).end(bytes(received));
/** A signed answer with other elements. */
export const changed = (change: Record<string, string>): Script =>
  body((received) => signedXml({ ...due(received), ...change }));
/** The correct answer with a DOCTYPE before it, and a use of its entity inside. */
export const doctype = (declaration: string, text = '1'): Script =>
  body((received) =>
    good(received).replace('<respon>', `${declaration}<respon>`).replace('</respon>', `<x>${text}</x></respon>`),
  );
