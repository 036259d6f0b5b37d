import { describe, expect, it } from 'vitest';
import { testCards } from '../../sandbox/gateway/test-cards.ts';
import { apiKey, card } from '../support/relay.ts';
import { startStack } from '../support/stack.ts';

const expected: Record<string, object> = {
  approve: { status: 'approved', card: expect.stringMatching(/^\d{6}\*+\d{4}$/), result: { code: '0000' } },
  approve_late: { status: 'approved' },
  approve_silently: { status: 'unknown' },
};

describe('relay and sandbox gateway', () => {
  for (const { number, title, behaviour } of testCards) {
    it(`agree about the test card "${title}"`, async () => {
      const { gateway, relay } = await startStack({ timeoutMs: 800, lateMs: 200 });
      const { secret, id } = await relay.session();
      const { body } = await relay.pay(secret, { ...card, card: number });
      if (behaviour.does === 'decline') {
        const { code, message } = behaviour;
        expect(body).toMatchObject({ status: 'declined', result: { code, message } });
        expect(body.advice).toBe({ '2001': 'contact_bank', '2002': 'try_another_card', '2003': 'check_details' }[code]);
        expect(await relay.truth(id)).toMatchObject({ status: 'open' });
      } else {
        expect(body).toMatchObject(expected[behaviour.does] ?? {});
        const [payment] = gateway.payments.list();
        const { transaction_id } = payment ?? {};
        expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'approved', transaction_id });
      }
      expect(gateway.payments.list()).toHaveLength(1);
    });
  }

  it('agree about an APM payment that a person approves', async () => {
    const { gateway, relay } = await startStack();
    const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };
    const { secret, id } = await relay.session({ payment_methods: [pix] });
    const { redirect_url } = (await relay.pay(secret, { payment_method: 'PIX' })).body;
    const way = await relay.get(String(redirect_url).slice(relay.url.length));
    const issuer = way.headers.get('location') ?? '';
    const page = await (await fetch(issuer)).text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? '';
    const [, name = '', value = ''] = /<button[^>]*name="([^"]+)"[^>]*value="(approve)"/.exec(page) ?? [];
    const decided = await fetch(new URL(action, issuer), {
      method: 'POST',
      body: new URLSearchParams({ [name]: value }),
      redirect: 'manual',
    });
    expect(decided.headers.get('location')).toBe(`${relay.url}/return/${id}`);
    await relay.get(`/return/${id}`);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
    expect(gateway.payments.list()).toMatchObject([{ state: { status: 'approved' } }]);
  });

  it('agree about a subscription: it travels whole, and its recurring_id reaches the session', async () => {
    const { relay } = await startStack();
    const subscription = {
      contract: '1',
      contract_name: 'Tea club',
      contract_amount: '10',
      interval: 'month',
      billing_cycle: 12,
    };
    const { secret, id } = await relay.session({ order: { subscription } });
    await relay.pay(secret, card);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', recurring_id: expect.stringMatching(/./) });
  });

  it('agree about a query, signed both ways', async () => {
    const { gateway, relay } = await startStack();
    const { secret, orderNo } = await relay.session();
    await relay.pay(secret, card);
    const { body } = await relay.post('/v1/query', apiKey, { orders: [orderNo, 'another'] });
    const [payment] = gateway.payments.list();
    expect(body).toMatchObject({
      return_status: '1',
      orders_list: [{ order_no: orderNo, payment_status: '3000', transaction_id: payment?.transaction_id }],
      encryption_data: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});
