import { describe, expect, it } from 'vitest';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';

const saved = { token_id: 't', brand: 'visa', last4: '1111', expiration_month: '12', expiration_year: '2030' };

async function setUp() {
  const gateway = await scriptedGateway(approving);
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  const offers = async (secret: string) => (await relay.get('/checkout/api/session', secret)).body.offers_saving;
  const sentFlag = () => gateway.authorised().at(-1)?.message.token_flag;
  return { relay, gateway, offers, sentFlag };
}

describe('saving a typed card', () => {
  it('is offered to every shopper of the page when configured', async () => {
    const { relay, offers } = await setUp();
    for (const saved_cards of [undefined, [], [saved]]) {
      const { secret, checkoutUrl } = await relay.session({ saved_cards, save_card: 'ask' });
      expect(await offers(secret)).toBe(true);
      expect((await relay.get(new URL(checkoutUrl).pathname)).text).toContain('"offers_saving":true');
    }
  });

  it('is not offered only because the shop lists saved cards', async () => {
    const { relay, offers } = await setUp();
    for (const saved_cards of [undefined, [], [saved]]) {
      const { secret, checkoutUrl } = await relay.session({ saved_cards });
      expect(await offers(secret)).toBeUndefined();
      expect((await relay.get(new URL(checkoutUrl).pathname)).text).not.toContain('"offers_saving"');
    }
  });

  it('is enabled only by the configured value', async () => {
    const { relay } = await setUp();
    for (const save_card of ['always', true]) {
      const answer = await relay.post('/v1/sessions', apiKey, { order: order(), save_card });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'save_card' }] } });
    }
  });

  it('is not offered with a token_flag; it is offered again without', async () => {
    const { relay, offers } = await setUp();
    const { id, secret } = await relay.session({ save_card: 'ask', order: { token_flag: '0' } });
    expect(await offers(secret)).toBeUndefined();
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ order: { token_flag: null } });
    expect(await relay.send(`/v1/sessions/${id}`, { method: 'PATCH', headers, body })).toMatchObject({ status: 200 });
    expect(await offers(secret)).toBe(true);
  });

  it('sends the shopper’s choice', async () => {
    const { relay, sentFlag } = await setUp();
    const { secret } = await relay.session({ save_card: 'ask' });
    expect(await relay.pay(secret, { ...card, token_flag: '1' })).toMatchObject({ body: { status: 'approved' } });
    expect(sentFlag()).toBe('1');
  });

  it('refuses a browser’s token_flag if the shop did not ask', async () => {
    const { relay, gateway } = await setUp();
    for (const saved_cards of [undefined, [saved]]) {
      const { secret } = await relay.session({ saved_cards, order: { token_flag: '0' } });
      expect(await relay.pay(secret, { ...card, token_flag: '1' })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: 'token_flag' }] },
      });
    }
    expect(gateway.authorised()).toEqual([]);
  });

  it('is decided by the shop: the order’s token_flag takes precedence', async () => {
    const { relay, sentFlag } = await setUp();
    const { secret } = await relay.session({ save_card: 'ask', order: { token_flag: '0' } });
    await relay.pay(secret, { ...card, token_flag: '1' });
    expect(sentFlag()).toBe('0');
  });
});
