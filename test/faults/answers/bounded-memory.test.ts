import { expect, it } from 'vitest';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { card, startTestRelay } from '../../support/relays/relay.ts';
import { misbehaviours } from './misbehaviours.ts';

const MIB = 1024 * 1024;
const AT_ONCE = 16;

/** Read without a limit, sixteen of these at once would need a gibibyte; with it, sixteen mebibytes. */
const MAX_GROWTH = 256 * MIB;

const large = [
  'sends 64 MiB',
  'sends a gzip bomb of 64 MiB',
  'sends a gzip bomb in a gzip bomb',
  'sends a brotli bomb',
  'sends a deflate bomb',
  'sends a header of 1 MiB',
  'sends a billion laughs',
  'sends one large entity many times',
  'nests 20,000 elements',
  'sends 5,000 elements',
];

/** The maximum memory so far of this process, in which the relay runs. */
const peak = (): number => process.resourceUsage().maxRSS * 1024;

it.each(large)('sixteen payments at once need little memory when the gateway %s', async (what) => {
  const misbehaviour = misbehaviours.card[what];
  expect(misbehaviour).toBeDefined();
  const gateway = await scriptedGateway((received, res, req) => {
    if (received.path === '/v1/authorise') misbehaviour?.does(received, res, req);
    else res.writeHead(503).end();
  });
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 10_000 });
  const sessions = await Promise.all(Array.from({ length: AT_ONCE }, () => relay.session()));
  const before = peak();
  const answers = await Promise.all(sessions.map(({ secret }) => relay.pay(secret, card)));
  expect(answers.map(({ body }) => body.status)).toEqual(sessions.map(() => 'unknown'));
  expect(peak() - before).toBeLessThan(MAX_GROWTH);
  expect(gateway.authorised()).toHaveLength(AT_ONCE);
});
