import { describe, expect, it } from 'vitest';
import { methods, pix } from '../../support/gateways/issuer.ts';
import { type Script, scriptedGateway, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { card, startTestRelay } from '../../support/relays/relay.ts';
import { harmless, leavesNoEvidence, misbehaviours } from './misbehaviours.ts';

const kinds = { card, apm: pix };
/** Long enough for every complete answer, and short for those that never end. */
const timeLimit = (reason?: string): number => (reason === 'timeout' ? 500 : 30_000);

/** A payment at a gateway that misbehaves once, books the payment anyway, and works when the test says so. */
async function payAtMisbehaving(does: Script, kind: keyof typeof kinds, reason?: string) {
  const books: { isFine: boolean; payment_status: string } = { isFine: false, payment_status: '3000' };
  const gateway = await scriptedGateway((received, res, req) => {
    if (received.path === '/v1/authorise') return does(received, res, req);
    if (!books.isFine) return void res.writeHead(503).end();
    const charged = gateway.authorised().map(({ message: { order_no, amount, currency } }, n) => {
      return { order_no, amount, currency, transaction_id: `T${n + 1}`, payment_status: books.payment_status };
    });
    sendRecords(res, charged);
  });
  const resolve = { first_ms: 50, max_ms: 100 };
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: timeLimit(reason), config: { resolve } });
  const { secret, id } = await relay.session(methods);
  const answer = await relay.pay(secret, kinds[kind]);
  return { books, gateway, relay, id, secret, answer };
}

for (const kind of ['card', 'apm'] as const) {
  describe(`a ${kind} payment is sent once, and first unknown, when the gateway`, () => {
    for (const [what, { does, reason }] of Object.entries(misbehaviours[kind])) {
      it(what, async () => {
        const { books, gateway, relay, id, secret, answer } = await payAtMisbehaving(does, kind, reason);
        expect(answer).toMatchObject({ status: 200, body: { status: 'unknown' } });
        const evidence = leavesNoEvidence.has(what) ? {} : { evidence: { http_status: expect.any(Number) } };
        expect(await relay.truth(id)).toMatchObject({
          status: 'unknown',
          unknown: { reason, needs_attention: false },
          attempts: [{ status: 'unknown', reason, ...evidence }],
        });
        expect(await relay.pay(secret, kinds[kind])).toMatchObject({
          status: 409,
          body: { code: 'attempt_in_flight' },
        });

        books.isFine = true;
        expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'approved', transaction_id: 'T1' });
        expect(gateway.authorised()).toHaveLength(1);
        const written = [...relay.files(), ...relay.logLines, ...relay.answers];
        expect(written.filter((text) => text.includes(card.card))).toEqual([]);
      });
    }

    it('declines, and its answer is lost', async () => {
      const { books, gateway, relay, id } = await payAtMisbehaving((_r, _res, req) => void req.socket.end(), kind);
      books.payment_status = '4100';
      books.isFine = true;
      expect(await relay.settled(id, 'unknown')).toMatchObject({
        status: 'open',
        attempts: [{ status: 'declined', transaction_id: 'T1' }],
      });
      expect(gateway.authorised()).toHaveLength(1);
    });
  });
}

describe(`a payment (card) is what the answer says, when the gateway`, () => {
  for (const [what, does] of Object.entries(harmless)) {
    it(what, async () => {
      const { gateway, answer } = await payAtMisbehaving(does, 'card');
      expect(answer).toMatchObject({ status: 200, body: { status: 'approved' } });
      expect(gateway.authorised()).toHaveLength(1);
    });
  }
});
