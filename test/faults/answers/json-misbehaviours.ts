import { gzipSync } from 'node:zlib';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import { hang, reset, type Script } from '../../support/gateways/scripted-gateway.ts';
import { onTheWire } from '../../support/gateways/wire-answers.ts';

const body =
  (bytes: string | Buffer, status = 200, headers: Record<string, string> = {}): Script =>
  (_received, res) =>
    void res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes);

/** A correct answer, modified in transit. */
const changed =
  (change: (json: string) => string | Buffer): Script =>
  (received, res, req) => {
    const end = res.end.bind(res);
    res.end = (json: unknown) => end(change(String(json)));
    compliant(received, res, req);
  };

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** What a gateway does with a message that it answers in JSON, and the reason shown to people. */
export const faults: Record<string, [Script, string]> = {
  'never answers': [hang, 'timeout'],
  'resets the connection': [reset, 'connection_lost'],
  'closes without an answer': [(_r, _res, req) => void req.socket.end(), 'connection_lost'],
  'says that more bytes follow than do': [
    onTheWire(() => 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}'),
    'connection_lost',
  ],
  'sends a gzip bomb': [body(bomb, 200, { 'content-encoding': 'gzip' }), 'answer_too_large'],
  'answers 502': [body('{}', 502), 'http_status'],
  'answers 307': [body('{}', 307, { location: '/v1/refund' }), 'http_status'],
  'answers HTML': [body('<!doctype html><title>Down</title>'), 'not_json'],
  'answers XML': [body('<respon><return_status>1</return_status></respon>'), 'not_json'],
  'answers nothing': [body(''), 'not_json'],
  'answers a list': [body('[]'), 'not_json'],
  'answers null': [body('null'), 'not_json'],
  'cuts its answer off cleanly': [changed((json) => json.slice(0, -1)), 'not_json'],
  'answers in UTF-16': [changed((json) => Buffer.from(json, 'utf16le')), 'not_json'],
  'nests 200,000 lists': [body(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`), 'nested_too_deep'],
  'nests 200,000 lists and never closes them': [body(`{"a":${'['.repeat(200_000)}`), 'not_json'],
  'names a field twice': [changed((json) => json.replace('{', '{"merchant_id":"100002",')), 'repeated_field'],
  'names a field twice, once escaped': [
    changed((json) => json.replace('{', '{"merchant_\\u0069d":"100002",')),
    'repeated_field',
  ],
  'changes its answer after it signed': [changed((json) => json.replace('{', '{"connector":"x",')), 'signature_wrong'],
};
