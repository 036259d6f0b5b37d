import { describe, expect, it } from 'vitest';
import {
  approval,
  approving,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';

describe('a card payment', () => {
  it('stays open after a decline, and fails at the last attempt', async () => {
    const gateway = await scriptedGateway((received, res) => {
      const transaction_id = `T${gateway.authorised().length}`;
      sendXml(
        res,
        signedXml({ ...approval(received), transaction_id, order_status: '0', result_info: '2001:Do not honour' }),
      );
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret, id } = await relay.session();
    for (const left of [4, 3, 2, 1]) {
      expect((await relay.pay(secret, card)).body).toEqual({
        status: 'declined',
        result: { code: '2001', message: 'Do not honour' },
        advice: 'contact_bank',
        attempts_left: left,
      });
      expect(await relay.truth(id)).toMatchObject({ status: 'open' });
    }
    expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'declined', attempts_left: 0 });
    expect(await relay.truth(id)).toMatchObject({ status: 'failed', result: { code: '2001' } });
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'session_final' } });
    expect(gateway.authorised()).toHaveLength(5);
  });

  it('is declined without counting an attempt on HTTP 400 and 404', async () => {
    const statuses = [400, 404];
    const gateway = await scriptedGateway((received, res) => {
      if (received.path !== '/v1/authorise') return sendRecords(res, []);
      res.writeHead(statuses.shift() ?? 500).end('Invalid input 4111111111111111');
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret, id } = await relay.session();
    expect((await relay.pay(secret, card)).body).toMatchObject({
      status: 'declined',
      result: { code: 'http_400' },
      advice: 'check_details',
      attempts_left: 5,
    });
    expect((await relay.pay(secret, card)).body).toMatchObject({ result: { code: 'http_404' }, attempts_left: 5 });
    expect(await relay.truth(id)).toMatchObject({ status: 'open', attempts: [{ status: 'refused' }, {}] });
    // The gateway may have booked the refused payment: the relay queries before the next payment of the order.
    const paths = gateway.received.map(({ path }) => path);
    expect(paths.slice(1, paths.lastIndexOf('/v1/authorise'))).toContain('/v1/retrievalTrans');
  });

  it('keeps its session open when the gateway cannot be reached', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    const { secret, id } = await relay.session();
    expect(await relay.pay(secret, card)).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    expect(await relay.truth(id)).toMatchObject({ status: 'open', attempts: [{ status: 'not_sent' }] });
    expect(gateway.received).toEqual([]);
  });

  it('charges once, however often the button is pressed at the same time', async () => {
    // The gateway answers only when all presses have arrived: by then the others were refused or reached the gateway,
    // too.
    const PRESSES = 9;
    let refused = 0;
    const held: (() => void)[] = [];
    const answerWhenAllCame = (): void => {
      if (gateway.authorised().length + refused === PRESSES) for (const answer of held.splice(0)) answer();
    };
    const gateway = await scriptedGateway((received, res) => {
      held.push(() => sendXml(res, signedXml(approval(received))));
      answerWhenAllCame();
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret, orderNo } = await relay.session();
    const other = await relay.session({ order: { order_no: orderNo } });
    const press = async (pressed: string) => {
      const answer = await relay.pay(pressed, card);
      if (answer.status !== 200) refused += 1;
      answerWhenAllCame();
      return answer;
    };
    const presses = Array.from({ length: PRESSES }, (_, n) => press(n === PRESSES - 1 ? other.secret : secret));
    const answers = await Promise.all(presses);
    expect(gateway.authorised()).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const codes = new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code));
    expect([...codes].every((code) => ['attempt_in_flight', 'order_in_progress'].includes(String(code)))).toBe(true);
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'session_final' } });
    expect(await relay.truth(other.id)).toMatchObject({ status: 'failed', reason: 'order_already_paid' });
    expect(await relay.pay(other.secret, card)).toMatchObject({ status: 409, body: { code: 'session_final' } });
    const third = await relay.post('/v1/sessions', apiKey, { order: { ...order(), order_no: orderNo } });
    expect(third.body.code).toBe('order_already_paid');
  });

  it('is not resent when the browser repeats its request', async () => {
    const gateway = await scriptedGateway((received, res) => {
      sendXml(res, signedXml({ ...approval(received), order_status: '0', result_info: '2001:no' }));
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret } = await relay.session();
    const send = (key: string) => relay.post('/checkout/api/pay', secret, card, { 'idempotency-key': key });
    expect(await send('one')).toMatchObject({ status: 200, body: { status: 'declined' } });
    expect(await send('one')).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await send('two')).toMatchObject({ status: 200, body: { status: 'declined' } });
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('ignores every other field that the browser sends', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret } = await relay.session({ collect: ['email'] });
    for (const [body, path] of [
      [{ ...card, amount: '0.01' }, 'amount'],
      [{ ...card, currency: 'USD' }, 'currency'],
      [{ ...card, order_no: 'X' }, 'order_no'],
      [{ ...card, shopper_id: 'another shopper' }, 'shopper_id'],
      [{ ...card, installments: '12' }, 'installments'],
      [{ ...card, device: { user_agent: 'mine' } }, 'device.user_agent'],
      [{ ...card, card: '4111' }, 'card'],
      [{ ...card, expiration_month: '13' }, 'expiration_month'],
      [{ ...card, security_code: '12345' }, 'security_code'],
      [{ token_id: 'stolen' }, 'token_id'],
      [{ payment_method: 'PIX' }, 'payment_method'],
    ] as const) {
      const answer = await relay.pay(secret, body);
      expect(answer, path).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } });
    }
    expect(await relay.pay(secret, { ...card, revision: 2 })).toMatchObject({
      status: 409,
      body: { code: 'session_changed' },
    });
    expect(gateway.received).toEqual([]);
    expect((await relay.pay(secret, { ...card, shopper_email: 'ada@example.com' })).body.status).toBe('approved');
    expect(gateway.authorised()[0]?.message.shopper_email).toBe('ada@example.com');
  });

  it('that was never sent may be retried under its key', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    const { secret } = await relay.session();
    const send = (key: string) => relay.post('/checkout/api/pay', secret, card, { 'idempotency-key': key });
    expect(await send('one')).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    expect(await send('one')).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    expect(await send('x'.repeat(300))).toMatchObject({ status: 400, body: { code: 'idempotency_key_invalid' } });
    expect(gateway.received).toEqual([]);
  });

  it('requires the session’s own secret', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const [one, two] = [await relay.session(), await relay.session()];
    for (const wrong of [one.id, `${one.id}.`, `${one.id}.${two.secret.split('.')[1]}`, apiKey, 'cs_nothing.x']) {
      expect(await relay.pay(wrong, card)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      expect(await relay.get('/checkout/api/session', wrong)).toMatchObject({ status: 401 });
    }
    expect(gateway.received).toEqual([]);
  });
});
