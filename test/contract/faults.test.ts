import { describe, expect, it } from 'vitest';
import { card, startTestRelay } from '../support/relay.ts';
import {
  approval,
  type Received,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
  xml,
} from '../support/scripted-gateway.ts';

const changed = (change: Record<string, string>) => (received: Received) =>
  signedXml({ ...approval(received), ...change });
const raw =
  (text: (received: Received) => string): Script =>
  (received, res) =>
    sendXml(res, text(received));

/** What a gateway may do to a payment, and the reason that the shop reads. None of it proves anything. */
const faults: Record<string, [Script, string]> = {
  'never answers': [() => undefined, 'timeout'],
  'resets the connection': [(_r, _res, req) => void req.socket.resetAndDestroy(), 'connection_lost'],
  'answers 500': [(_r, res) => void res.writeHead(500).end('<respon/>'), 'http_status'],
  'answers 302': [(_r, res) => void res.writeHead(302, { location: '/' }).end(), 'http_status'],
  'answers HTML': [raw(() => '<!doctype html><title>Down</title>'), 'not_well_formed'],
  'answers nothing': [raw(() => ''), 'not_well_formed'],
  'cuts its answer off': [raw((r) => signedXml(approval(r)).slice(0, -10)), 'not_well_formed'],
  'sends a DOCTYPE': [
    raw((r) => signedXml(approval(r)).replace('<respon>', '<!DOCTYPE respon><respon>')),
    'not_well_formed',
  ],
  'answers with another root': [raw((r) => signedXml(approval(r)).replaceAll('respon>', 'response>')), 'wrong_root'],
  'repeats an element': [
    raw((r) => signedXml(approval(r)).replace('</respon>', '<order_status>1</order_status></respon>')),
    'repeated_element',
  ],
  'sends 64 MiB': [(_r, res) => void res.end(Buffer.alloc(64 * 1024 * 1024, ' ')), 'answer_too_large'],
  'nests 200,000 elements': [raw(() => `<respon>${'<a>'.repeat(200_000)}`), 'nested_element'],
  'does not sign': [raw((r) => xml(approval(r))), 'signature_missing'],
  'signs with another secret': [raw((r) => signedXml(approval(r), 'another secret')), 'signature_wrong'],
  'sends our own signature back': [
    raw((r) => xml({ ...approval(r), encryption_data: String(r.message.encryption_data) })),
    'signature_wrong',
  ],
  'changes its answer after signing': [
    raw((r) => signedXml({ ...approval(r), order_status: '0' }).replace('<order_status>0', '<order_status>1')),
    'signature_wrong',
  ],
  'answers for another order': [raw(changed({ order_no: 'X' })), 'echo_mismatch'],
  'answers with another amount': [raw(changed({ amount: '0.01' })), 'echo_mismatch'],
  'answers in another currency': [raw(changed({ currency: 'USD' })), 'echo_mismatch'],
  'answers for another account': [raw(changed({ account_id: '9' })), 'echo_mismatch'],
  'sends a status that the book does not list': [raw(changed({ order_status: '2' })), 'codes_not_listed'],
  'approves by status and declines by result': [raw(changed({ result_info: '2001:no' })), 'codes_disagree'],
};

describe('a payment is unknown, and is not sent again, when the gateway', () => {
  for (const [what, [script, reason]] of Object.entries(faults)) {
    it(what, async () => {
      const gateway = await scriptedGateway((received, res, req) => {
        if (received.path === '/v1/authorise') script(received, res, req);
        else sendRecords(res, []);
      });
      const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 400 });
      const { secret, id } = await relay.session();
      expect(await relay.pay(secret, card)).toMatchObject({ status: 200, body: { status: 'unknown' } });
      expect(await relay.truth(id)).toMatchObject({ status: 'unknown', unknown: { reason } });
      expect(gateway.authorised()).toHaveLength(1);
    });
  }
});
