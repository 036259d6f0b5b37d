import { describe, expect, it } from 'vitest';
import {
  answered,
  approval,
  byCard,
  byPix,
  decline,
  setUpServerPayments as setUp,
  timeout,
} from '../../../test/support/payments/server-payments.ts';
import { paymentAgain } from './payment.ts';

describe('a repeated payment', () => {
  const again = async (relay: Awaited<ReturnType<typeof setUp>>, id: string) => {
    const reply = await paymentAgain(relay.context, relay.account, id);
    return reply === 'again' ? reply : { status: reply.status, body: JSON.parse(reply.body) };
  };

  it.each([
    ['approved', approval],
    ['declined', decline],
    ['redirect', answered({ transaction_id: 'T1', issuer_url: 'https://issuer.example/x' })],
  ])('is answered as the first was: %s', async (status, called) => {
    const relay = await setUp(called);
    const first = await relay.post(status === 'redirect' ? byPix : byCard);
    expect(first.body.status).toBe(status);
    expect(await again(relay, first.body.id)).toEqual({ status: 200, body: first.body });
  });

  it('gets that its outcome is unknown, and not to pay again', async () => {
    const relay = await setUp(timeout);
    const { body } = await relay.post();
    await expect(again(relay, body.id)).rejects.toMatchObject({
      code: 'outcome_unknown',
      operation_id: body.id,
      message: expect.stringContaining(`GET /v1/sessions/${body.id}`),
    });
  });

  it('is in progress while it is sent, or not known', async () => {
    const relay = await setUp();
    const session = await relay.session('A');
    const inProgress = { code: 'in_progress', operation_id: session.id };
    await expect(again(relay, session.id)).rejects.toMatchObject(inProgress);
    await relay.pay(session);
    await expect(again(relay, session.id)).rejects.toMatchObject(inProgress);
    await expect(again(relay, 'cs_none')).rejects.toMatchObject({ code: 'in_progress', operation_id: 'cs_none' });
  });

  it('is made again where nothing was sent', async () => {
    const relay = await setUp({ kind: 'not_sent' });
    await expect(relay.post()).rejects.toMatchObject({ code: 'gateway_unreachable' });
    const [session] = (await relay.context.store.orders.get('demo', 'A')).sessions;
    expect(await again(relay, session?.id ?? '')).toBe('again');
  });
});
