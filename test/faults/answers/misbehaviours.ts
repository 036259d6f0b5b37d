import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import {
  approval,
  hang,
  type Received,
  reset,
  type Script,
  sendXml,
  signedXml,
  xml,
} from '../../support/gateways/scripted-gateway.ts';
import {
  body,
  changed,
  doctype,
  due,
  encoded,
  good,
  head,
  MIB,
  onTheWire,
  sized,
  status,
} from '../../support/gateways/wire-answers.ts';
import type { IncomingMessage, ServerResponse } from '../../support/http/http-server.ts';

/** What a gateway does with a payment, and the reason that the shop reads; `taken` if the answer counts anyway. */
type Misbehaviour = { does: Script; reason: string };

function slowly(_received: Received, res: ServerResponse, req: IncomingMessage): void {
  res.writeHead(200);
  const drip = setInterval(() => void res.write('<'), 100);
  req.socket.on('close', () => clearInterval(drip));
}

const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};&e${n};&e${n};">`).join('');

/** Compressed beforehand, so that only the relay's time is measured. */
const zeros = Buffer.alloc(64 * MIB);
const bombs = {
  gzip: gzipSync(zeros),
  'gzip, gzip': gzipSync(gzipSync(zeros)),
  deflate: deflateSync(zeros),
  br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

const lost: Record<string, [Script, string]> = {
  'never answers': [hang, 'timeout'],
  'answers one byte after the other': [slowly, 'timeout'],
  'sends a head and nothing more': [onTheWire(() => head('content-length: 99\r\n'), 'open'), 'timeout'],
  'says that more bytes follow than do, and waits': [onTheWire((r) => sized(good(r), 1), 'open'), 'timeout'],
  'says that more bytes follow than do, and closes': [onTheWire((r) => sized(good(r), 1)), 'connection_lost'],
  'resets the connection': [reset, 'connection_lost'],
  'resets it within its answer': [onTheWire((r) => sized(good(r), 9), 'reset'), 'connection_lost'],
  'closes without an answer': [(_r, _res, req) => void req.socket.end(), 'connection_lost'],
  'cuts a chunked answer off': [
    onTheWire((r) => `${head('transfer-encoding: chunked\r\n')}${good(r).length.toString(16)}\r\n${good(r)}\r\n`),
    'connection_lost',
  ],
  'sends chunks that are none': [onTheWire(() => `${head('transfer-encoding: chunked\r\n')}zz\r\n`), 'connection_lost'],
  'sends a header of 1 MiB': [onTheWire((r) => head(`x: ${'a'.repeat(MIB)}\r\n`) + good(r)), 'connection_lost'],
  'sends bytes that no header can hold': [onTheWire((r) => head('x\0y: 1\r\n') + good(r)), 'connection_lost'],
  'sends two lengths': [onTheWire(() => head('content-length: 1\r\ncontent-length: 2\r\n')), 'connection_lost'],
  'sends something that is not HTTP': [onTheWire(() => 'SSH-2.0-OpenSSH_9.9\r\n'), 'connection_lost'],
  'wants to change the protocol': [
    onTheWire(() => head('upgrade: h2c\r\nconnection: upgrade\r\n', '101 Switching Protocols')),
    'connection_lost',
  ],
  'sends 64 MiB': [body(() => zeros), 'answer_too_large'],
  'sends a gzip bomb of 64 MiB': [encoded('gzip', () => bombs.gzip), 'answer_too_large'],
  'sends a gzip bomb in a gzip bomb': [encoded('gzip, gzip', () => bombs['gzip, gzip']), 'unreadable_encoding'],
  'sends a brotli bomb': [encoded('br', () => bombs.br), 'answer_too_large'],
  'sends a deflate bomb': [encoded('deflate', () => bombs.deflate), 'answer_too_large'],
  'packs its answer in an unknown way': [encoded('zstd2', (r) => Buffer.from(good(r))), 'unreadable_encoding'],
  'cuts a packed answer off': [encoded('gzip', (r) => gzipSync(good(r)).subarray(0, -9)), 'unreadable_encoding'],
};

const unreadable: Record<string, [Script, string]> = {
  'answers 500': [status(500), 'http_status'],
  'answers 502': [status(502), 'http_status'],
  'answers 503': [status(503), 'http_status'],
  'answers 504': [status(504), 'http_status'],
  'answers 201': [status(201), 'http_status'],
  'answers 301': [status(301, { location: '/v1/authorise' }), 'http_status'],
  'answers 307': [status(307, { location: '/v1/authorise' }), 'http_status'],
  'answers HTML': [body(() => '<!doctype html><title>Down</title>'), 'not_well_formed'],
  'answers JSON': [body((r) => JSON.stringify(due(r))), 'not_well_formed'],
  'answers nothing': [body(() => ''), 'not_well_formed'],
  'answers with broken XML': [body((r) => good(r).replace('</order_no>', '</order>')), 'not_well_formed'],
  'cuts its answer off cleanly': [body((r) => good(r).slice(0, -10)), 'not_well_formed'],
  'answers twice in one body': [body((r) => good(r) + good(r)), 'not_well_formed'],
  'sends a DOCTYPE': [doctype('<!DOCTYPE respon>'), 'not_well_formed'],
  'sends a DOCTYPE with an entity': [doctype('<!DOCTYPE respon [<!ENTITY a "b">]>', '&a;'), 'not_well_formed'],
  'sends an external entity': [
    doctype('<!DOCTYPE respon [<!ENTITY a SYSTEM "file:///etc/passwd">]>', '&a;'),
    'not_well_formed',
  ],
  'sends an external subset': [doctype('<!DOCTYPE respon SYSTEM "http://127.0.0.1:9/x.dtd">'), 'not_well_formed'],
  'sends a parameter entity': [
    doctype('<!DOCTYPE respon [<!ENTITY % a SYSTEM "http://127.0.0.1:9/x.dtd">%a;]>'),
    'not_well_formed',
  ],
  'sends a billion laughs': [doctype(`<!DOCTYPE respon [<!ENTITY e0 "ha">${entities}]>`, '&e20;'), 'not_well_formed'],
  'sends one large entity many times': [
    doctype(`<!DOCTYPE respon [<!ENTITY a "${'a'.repeat(10_000)}">]>`, '&a;'.repeat(10_000)),
    'not_well_formed',
  ],
  'nests 20,000 elements': [body(() => `<respon>${'<a>'.repeat(20_000)}`), 'nested_element'],
  'sends 5,000 elements': [
    body((r) =>
      good(r).replace('</respon>', `${Array.from({ length: 5_000 }, (_, n) => `<a${n}/>`).join('')}</respon>`),
    ),
    'too_many_elements',
  ],
  'sends 100,000 characters': [
    body((r) => good(r).replace('</respon>', `<note>${'x'.repeat(100_000)}</note></respon>`)),
    'too_long',
  ],
  'answers with another root': [body((r) => good(r).replaceAll('respon>', 'response>')), 'wrong_root'],
  'answers with a root in a namespace': [
    body((r) => good(r).replace('<respon', '<respon xmlns="urn:x"')),
    'foreign_namespace',
  ],
  'answers with a prefix': [
    body((r) => good(r).replace('<respon', '<g:respon xmlns:g="urn:x"').replace('</respon', '</g:respon')),
    'wrong_root',
  ],
  'repeats an element': [
    body((r) => good(r).replace('</respon>', '<amount>1.00</amount></respon>')),
    'repeated_element',
  ],
  'answers in UTF-16': [body((r) => Buffer.from(`\uFEFF${good(r)}`, 'utf16le')), 'not_well_formed'],
  'answers in Latin-1': [body((r) => Buffer.from(signedXml({ ...due(r), note: 'café' }), 'latin1')), 'not_well_formed'],
};

const untrue: Record<string, [Script, string]> = {
  'signs with the secret of another account': [body((r) => signedXml(due(r), 'another secret')), 'signature_wrong'],
  'signs in capitals': [
    body((r) => good(r).replace(/(<encryption_data>)(\w+)/, (_, tag, hex) => `${tag}${String(hex).toUpperCase()}`)),
    'signature_wrong',
  ],
  'changes its answer after it signed': [
    body((r) => signedXml({ ...due(r), amount: '0.01' }).replace('<amount>0.01', '<amount>129.90')),
    'signature_wrong',
  ],
  'answers for another order': [changed({ order_no: 'X' }), 'echo_mismatch'],
  'answers with another amount': [changed({ amount: '99.99' }), 'echo_mismatch'],
  'answers with an amount in powers of ten': [changed({ amount: '1.299e2' }), 'echo_mismatch'],
  'answers with a space in the amount': [changed({ amount: ' 129.90' }), 'echo_mismatch'],
  'answers with a negative amount': [changed({ amount: '-129.90' }), 'echo_mismatch'],
  'answers with a comma in the amount': [changed({ amount: '129,90' }), 'echo_mismatch'],
  'answers without an amount': [changed({ amount: '' }), 'echo_mismatch'],
  'answers in another currency': [changed({ currency: 'USD' }), 'echo_mismatch'],
  'answers for another merchant': [changed({ merchant_id: '100002' }), 'echo_mismatch'],
  'answers for another account': [changed({ account_id: '200002' }), 'echo_mismatch'],
  'approves and redirects at once': [
    body((r) => signedXml({ ...approval(r), issuer_url: 'https://issuer.example/' })),
    'codes_disagree',
  ],
};

/** Misbehaviours that leave a card payment unknown and do not apply to a redirect. */
const untrueOfCards: Record<string, [Script, string]> = {
  'does not sign': [body((r) => xml(due(r))), 'signature_missing'],
  'sends our own signature back': [
    body((r) => xml({ ...due(r), encryption_data: String(r.message.encryption_data) })),
    'signature_wrong',
  ],
  'sends a status that the book does not list': [changed({ order_status: '2' }), 'codes_not_listed'],
  'sends no status': [changed({ order_status: '' }), 'codes_not_listed'],
  'sends a result that is no code and message': [changed({ result_info: 'Success' }), 'codes_not_listed'],
  'approves by status and declines by result': [changed({ result_info: '2001:Do not honour' }), 'codes_disagree'],
  'declines by status and succeeds by result': [changed({ order_status: '0' }), 'codes_disagree'],
  'approves without a transaction_id': [changed({ transaction_id: '' }), 'no_transaction_id'],
};

/** Strange, but the answer is complete, signed and about the order: it counts. */
export const harmless: Record<string, Script> = {
  'writes the amount with fewer decimals': changed({ amount: '129.9' }),
  'sends a byte order mark': body((r) => `\uFEFF${good(r)}`),
  'speaks HTTP/1.0 and gives no length': onTheWire((r) => head('', '200 OK', '1.0') + good(r)),
  'gives hints before its answer': onTheWire(
    (r) => `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${sized(good(r))}`,
    'open',
  ),
  'answers in single bytes, in time': onTheWire((r) => {
    const bytes = [...good(r)].map((one) => `1\r\n${one}\r\n`).join('');
    return `${head('transfer-encoding: chunked\r\n')}${bytes}0\r\n\r\n`;
  }),
  'packs its answer': encoded('gzip', (r) => gzipSync(good(r))),
  'says that it sends text': (received, res) => sendXml(res.setHeader('content-type', 'text/plain'), good(received)),
  'sends a second answer behind the first': onTheWire(
    (r) => sized(good(r)) + sized(signedXml({ ...due(r), amount: '1.00' })),
    'open',
  ),
};

const table = (rows: Record<string, [Script, string]>): Record<string, Misbehaviour> =>
  Object.fromEntries(Object.entries(rows).map(([what, [does, reason]]) => [what, { does, reason }]));

/** The first misbehaviour of each reason. */
function oneOfEach(all: Record<string, Misbehaviour>): Record<string, Misbehaviour> {
  const reasons = Object.values(all).map(({ reason }) => reason);
  return Object.fromEntries(Object.entries(all).filter(([, { reason }], at) => reasons.indexOf(reason) === at));
}

/**
 * Every way in which a gateway leaves the outcome of a payment unknown. Answers to both kinds of payment share their
 * code.
 */
export const misbehaviours = {
  apm: oneOfEach(table({ ...lost, ...unreadable, ...untrue })),
  card: table({ ...lost, ...unreadable, ...untrue, ...untrueOfCards }),
};

/** These do not even have a status to store. */
export const leavesNoEvidence = new Set(Object.keys(lost));
