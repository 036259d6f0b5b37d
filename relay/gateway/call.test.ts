import { expect, it } from 'vitest';
import { testContext } from '../../test/support/context.ts';
import { createGateway } from './call.ts';
import type { Client } from './client.ts';
import type { Signer } from './signing/signer.ts';

it('does not send a message whose signing took too long', async () => {
  const { config, now } = await testContext();
  const { profile } = config.gateway;
  let posts = 0;
  const deadline = { endsAt: Number.POSITIVE_INFINITY, latest: Number.POSITIVE_INFINITY };
  const client: Client = {
    deadline: () => deadline,
    post: async () => {
      posts += 1;
      return { kind: 'lost', reason: 'timeout' };
    },
    close: async () => undefined,
  };
  const signer: Signer = async () => {
    deadline.endsAt = performance.now();
    return { kind: 'signed', signature: 'x' };
  };
  const call = createGateway({ client, profile, signer, now });
  const as = { merchant_id: '100001', account_id: '200001', signingSecret: 'k3y-for-tests' };
  expect(await call('refund', as, { refund_orders: [] })).toMatchObject({ kind: 'not_sent' });
  expect(posts).toBe(0);
});
