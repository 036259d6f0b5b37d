import { describe, expect, it } from 'vitest';
import { pix, setUpIssuer } from '../../support/gateways/issuer.ts';
import {
  approval,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { card, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';

const typed = { shopper_email: 'ada@example.com', billing_city: 'Recife', installments: '3', installments_id: 'i3' };
const methods = [
  { type: 'card' },
  {
    type: 'apm',
    payment_method: 'PIX',
    label: 'Pix',
    banks: [{ code: '341', name: 'Itaú' }],
    fields: ['person.email'],
  },
];
const offer = {
  order: { first_name: 'A.', shopper_email: 'shop@example.com', billing_country: 'BR' },
  collect: ['email', 'billing_address'],
  installment_options: [{ installments: '2' }, { installments: '3', installments_id: 'i3' }],
  payment_methods: methods,
};

/** Declines each payment except one with the security code 111, which it approves. */
const script: Script = (received, res) => {
  if (received.path !== '/v1/authorise') return sendRecords(res, []);
  const declined = { order_status: '0', result_info: '2001:Insufficient funds' };
  const isGood = received.message.security_code === '111';
  sendXml(res, signedXml({ ...approval(received), ...(isGood ? {} : declined) }));
};

async function setUp(config: Record<string, unknown> = {}, now?: () => Date) {
  const gateway = await scriptedGateway(script);
  return startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 20_000, config, ...(now ? { now } : {}) });
}

const shown = async (relay: TestRelay, secret: string) => (await relay.get('/checkout/api/session', secret)).body;
const kept = async ({ context }: TestRelay, id: string) => (await context.store.sessions.get(id))?.terms.filled;

describe('a shopper who returns', () => {
  it('sees prefilled values, typed values after a decline, never card data', async () => {
    const relay = await setUp();
    const { id, secret } = await relay.session(offer);
    const first = await shown(relay, secret);
    expect(first.prefill).toEqual({ first_name: 'A.', shopper_email: 'shop@example.com', billing_country: 'BR' });
    expect(first).not.toHaveProperty('last_method');
    expect(await relay.pay(secret, { ...card, ...typed })).toMatchObject({ body: { status: 'declined' } });
    expect(await shown(relay, secret)).toMatchObject({
      status: 'open',
      notice: 'declined',
      last_method: 'card',
      prefill: {
        first_name: 'Ada',
        last_name: 'Byron',
        shopper_email: 'ada@example.com',
        billing_country: 'BR',
        billing_city: 'Recife',
        installments: '1',
      },
    });
    expect(Object.keys((await kept(relay, id)) ?? {}).toSorted()).toEqual([
      'billing_city',
      'first_name',
      'installments',
      'installments_id',
      'last_name',
      'shopper_email',
    ]);
  });

  it('needs the secret to see typed values', async () => {
    const relay = await setUp();
    const { id, secret, checkoutUrl } = await relay.session(offer);
    await relay.pay(secret, { ...card, ...typed });
    const page = await relay.get(new URL(checkoutUrl).pathname);
    expect(page.text).toContain('last_method');
    for (const value of ['Ada', 'Byron', 'Recife', 'example.com']) expect(page.text).not.toContain(value);
    expect(JSON.stringify(await relay.truth(id))).not.toContain('Recife');
  });

  it('unpaid from the issuer’s page finds the method selected', async () => {
    const { relay } = await setUpIssuer();
    const { secret, id } = await relay.session(offer);
    const body = { ...pix, bank_code: '341', person: { email: 'ada@example.com' }, billing_city: 'Recife' };
    expect(await relay.pay(secret, body)).toMatchObject({ body: { status: 'redirect' } });
    await relay.comeBack(id);
    expect(await shown(relay, secret)).toMatchObject({
      status: 'open',
      notice: 'not_paid',
      last_method: 'PIX',
      prefill: { bank_code: '341', 'person.email': 'ada@example.com', billing_city: 'Recife' },
    });
  });

  it('sees no typed values after the session ends', async () => {
    let clock = Date.now();
    const limits = { attempts_per_session: 2, attempts_per_ip_per_hour: 1000, attempts_per_card_per_hour: 1000 };
    const relay = await setUp({ limits }, () => new Date(clock));
    const [approved, failed, expired] = [
      await relay.session(offer),
      await relay.session(offer),
      await relay.session(offer),
    ];
    for (const { secret, id } of [approved, failed, expired]) {
      await relay.pay(secret, { ...card, ...typed });
      expect(await kept(relay, id)).toMatchObject({ billing_city: 'Recife' });
    }
    await relay.pay(approved.secret, { ...card, ...typed, security_code: '111' });
    await relay.pay(failed.secret, { ...card, ...typed });
    clock += 86_400_000;
    await expect.poll(async () => (await relay.context.store.sessions.get(expired.id))?.state.status).toBe('expired');
    for (const [status, { secret, id }] of Object.entries({ approved, failed, expired })) {
      expect(await kept(relay, id), status).toBeUndefined();
      expect(await shown(relay, secret), status).toMatchObject({ status, prefill: { first_name: 'A.' } });
    }
  });

  it('after paying with a saved card finds the card selected', async () => {
    const relay = await setUp();
    const saved = { token_id: 't', brand: 'visa', last4: '1111', expiration_month: '12', expiration_year: '2030' };
    const { secret, id } = await relay.session({ saved_cards: [saved] });
    await relay.pay(secret, { token_id: 't', security_code: '737' });
    expect(await shown(relay, secret)).toMatchObject({ last_method: 'card', prefill: {} });
    expect(await kept(relay, id)).toBeUndefined();
  });
});
