import { describe, expect, it } from 'vitest';
import { canonicalMessage, sign } from '../../shared/gateway/signature.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { createGateway } from './call.ts';
import type { Client } from './client.ts';
import { createSigner, type Signer } from './signing/signer.ts';
import type { Signing } from './signing/signing-setting.ts';

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
  const { call } = createGateway({ client, profile, signer, now });
  const as = { merchant_id: '100001', account_id: '200001', signingSecret: 'k3y-for-tests' };
  expect(await call('refund', as, { refund_orders: [] })).toMatchObject({ kind: 'not_sent' });
  expect(posts).toBe(0);
});

describe('the JSON that is sent', () => {
  const as = { merchant_id: '100001', account_id: '200001', signingSecret: 'k3y-for-tests' };
  const message = {
    order_no: 'A-1',
    note: 'São "1" \u2028',
    shipping: undefined,
    amount: '1.00',
    merchant_id: 'other',
  };

  async function bodyUnder(signing: Signing): Promise<string> {
    const { config, now } = await testContext();
    const bodies: string[] = [];
    const client: Client = {
      deadline: () => ({ endsAt: Number.POSITIVE_INFINITY, latest: Number.POSITIVE_INFINITY }),
      post: async ({ body }) => {
        bodies.push(body);
        return { kind: 'lost', reason: 'timeout' };
      },
      close: async () => undefined,
    };
    const signer = await createSigner(signing);
    await createGateway({ client, profile: config.gateway.profile, signer, now }).call('direct_payment', as, message);
    return bodies.join();
  }

  it('is the text that was signed, and its signature', async () => {
    const { merchant_id, account_id } = as;
    const signed = { order_no: 'A-1', note: 'São "1" \u2028', amount: '1.00', merchant_id, account_id };
    const body = await bodyUnder({ scheme: 'canonical' });
    const { encryption_data, ...rest } = JSON.parse(body);
    expect(rest).toStrictEqual(signed);
    expect(encryption_data).toBe(sign(signed, as.signingSecret));
    expect(body).toBe(`${canonicalMessage(signed).slice(0, -1)},"encryption_data":"${encryption_data}"}`);
  });

  it('is the same message if another text was signed', async () => {
    const signing: Signing = {
      scheme: 'concat',
      algorithm: 'sha256',
      fields: { direct_payment: ['order_no', 'amount'] },
      answer_fields: {},
      separator: '',
      secret: 'append',
      output: 'hex',
    };
    const canonical: Record<string, unknown> = JSON.parse(await bodyUnder({ scheme: 'canonical' }));
    const concat: Record<string, unknown> = JSON.parse(await bodyUnder(signing));
    expect({ ...concat, encryption_data: '' }).toStrictEqual({ ...canonical, encryption_data: '' });
    expect(concat.encryption_data).toMatch(/^[0-9a-f]{64}$/);
  });
});
