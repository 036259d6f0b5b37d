import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/gateway/operations.ts';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import { operationCases } from '../../support/gateways/operation-cases.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';
import { faults } from './json-misbehaviours.ts';

/** Long enough for every complete answer, and short for those that never end. */
const timeLimit = (reason: string): number => (reason === 'timeout' ? 500 : 30_000);

/** Operations that move money or decide whether it moves: none may be sent twice. */
const effects = [
  { name: 'refund', path: '/v1/refund' },
  { name: 'review', path: '/v1/review' },
  { name: 'capture', path: '/v1/capture' },
  { name: 'cancel', path: '/v1/cancel' },
  { name: 'subscription_cancel', path: '/v1/subscription/cancel' },
  { name: 'payout', path: '/v1/payout' },
] as const;

/** All are sent and read by the same code: one meets every fault, the others one on the wire and one in the answer. */
const few = ['resets the connection', 'changes its answer after it signed'];

for (const { name, path } of effects) {
  const { least } = operationCases[name];
  const met = Object.entries(faults).filter(([what]) => name === 'refund' || few.includes(what));
  describe(`a ${name} is unknown, and is sent once, when the gateway`, () => {
    for (const [what, [does, reason]] of met) {
      it(what, async () => {
        let isFine = false;
        const gateway = await scriptedGateway((...call) => (isFine ? compliant(...call) : does(...call)));
        const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: timeLimit(reason) });
        const key = { 'idempotency-key': 'once' };
        const answer = await relay.post(path, apiKey, least, key);
        expect(answer).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });

        isFine = true;
        expect(await relay.post(path, apiKey, least, key)).toMatchObject({
          status: 409,
          body: { code: 'outcome_unknown' },
        });
        const operation = await relay.get(`/v1/operations/${answer.headers.get('x-operation-id')}`, apiKey);
        expect(operation.body).toMatchObject({ status: 'unknown', unknown: { reason } });
        const sent = gateway.received.filter((one) => one.path === operations[name].path);
        expect(sent).toHaveLength(1);
      });
    }
  });
}
