import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  declinedOf,
  HOUR,
  lost,
  SECOND,
  setUpResolving,
} from '../../test/support/payments/resolving.ts';
import { card as testCard } from '../../test/support/relays/relay.ts';
import { emailHash } from '../base/keys.ts';
import type { CallResult } from '../gateway/call.ts';
import type { Session } from '../payments/session.ts';
import type { PayBody } from './message.ts';
import { newAttempt, pay } from './pay.ts';
import { paidWith } from './quotas.ts';
import { sendAttempt } from './send-attempt.ts';

const card: PayBody = { ...testCard, device: {} };
const facts = { user_agent: '', accept: '', accept_language: '', shopper_ip: '' };
const echo = { merchant_id: '100001', account_id: '200001', order_no: 'A', amount: '10.00', currency: 'BRL' };
const answered = (order_status: string, result_info: string): CallResult => ({
  kind: 'answer',
  message: { ...echo, transaction_id: 'T1', order_status, result_info },
  evidence: () => ({}),
});
const approval = answered('1', '0000:Success');
const decline = answered('0', '2001:no');

/** A relay whose gateway answers payments like this. */
async function setUp(answer: CallResult = approval, config: object = {}) {
  const relay = await setUpResolving(config);
  const { context, account } = relay;
  const query = context.call;
  const gateway = { answer };
  const sent: string[] = [];
  context.call = async (name, ...rest) => {
    if (name === 'query') return query(name, ...rest);
    sent.push(name);
    return gateway.answer;
  };
  const press = async (
    of: Session,
    body: PayBody = card,
    more: { key?: string; earlierKeys?: string[]; hasHungUp?: () => boolean; shopper_ip?: string } = {},
  ) => {
    const { shopper_ip = '', hasHungUp = () => false, ...keys } = more;
    const request = {
      order: await relay.orderOf(of),
      session: await relay.stored(of.id),
      account,
      body,
      deviceId: 'dv_1',
    };
    return pay(context, { ...request, facts: { ...facts, shopper_ip }, hasHungUp, ...keys });
  };
  return { ...relay, gateway, sent, press };
}

describe('a press on the button', () => {
  it('is a repetition if its key was used for this session', async () => {
    const { session: create, press, sent, orderOf } = await setUp(decline);
    const [one, other] = [await create('A'), await create('A')];
    expect(await press(one, card, { key: 'k1' })).toMatchObject({ status: 'declined' });
    expect((await orderOf(one)).attempts).toMatchObject([{ key: 'k1' }]);
    const problem = { code: 'attempt_in_flight', message: 'This payment was sent before. Get the session.' };
    await expect(press(one, card, { key: 'k1' })).rejects.toMatchObject(problem);
    await expect(press(one, card, { key: 'k2', earlierKeys: ['k0', 'k1'] })).rejects.toMatchObject(problem);
    expect(sent).toHaveLength(1);
    expect(await press(one, card, { key: 'k2' })).toMatchObject({ status: 'declined' });
    expect(await press(other, card, { key: 'k1' })).toMatchObject({ status: 'declined' });
    expect(await press(one)).toMatchObject({ status: 'declined' });
    expect(await press(one)).toMatchObject({ status: 'declined' });
  });

  it('with the key of a payment that was not sent is sent', async () => {
    const { session: create, press, gateway } = await setUp({ kind: 'not_sent' });
    const session = await create('A');
    await expect(press(session, card, { key: 'k1' })).rejects.toMatchObject({ code: 'gateway_unreachable' });
    gateway.answer = approval;
    expect(await press(session, card, { key: 'k1' })).toMatchObject({ status: 'approved' });
  });

  it('for an order that changed since it was shown is refused', async () => {
    const { context, session: create, press, sent, orderOf } = await setUp();
    const session = await create('A');
    const before = await orderOf(session);
    const sessions = before.sessions.map((one) => ({ ...one, revision: 2 }));
    await context.store.orders.write({ before, after: { ...before, sessions }, events: [] });
    for (const body of [card, { ...card, revision: 1 }, { ...card, revision: 3 }]) {
      await expect(press(session, body)).rejects.toMatchObject({
        code: 'session_changed',
        message: 'The order changed since it was shown. Show it again before it is paid.',
      });
    }
    expect(sent).toEqual([]);
    expect(await press(session, { ...card, revision: 2 })).toMatchObject({ status: 'approved' });
    expect((await orderOf(session)).attempts).toMatchObject([{ revision: 2 }]);
  });

  it('is refused where the relay is paused', async () => {
    const { session: create, press, sent } = await setUp(approval, { paused: true });
    await expect(press(await create('A'))).rejects.toMatchObject({ code: 'gateway_unreachable' });
    expect(sent).toEqual([]);
  });

  it('is refused where the session has no attempt left', async () => {
    const {
      context,
      session: create,
      press,
      pass,
      metric,
      sent,
    } = await setUp(decline, {
      limits: { attempts_per_session: 2 },
    });
    const session = await create('A');
    expect(await press(session)).toMatchObject({ attempts_left: 1 });
    pass(HOUR);
    // The limit was lowered since.
    context.config.limits.attempts_per_session = 1;
    await expect(press(session)).rejects.toMatchObject({
      code: 'too_many_attempts',
      message: 'This session takes no more attempts. The shop must make a new one.',
      headers: { 'Retry-After': String((DAY - HOUR) / SECOND) },
    });
    expect(await metric('turnpike_limited_total{limit="session"}')).toBe(1);
    context.config.limits.attempts_per_session = 2;
    expect(await press(session)).toMatchObject({ attempts_left: 0 });
    await expect(press(session)).rejects.toMatchObject({ code: 'session_final' });
    expect(await metric('turnpike_limited_total{limit="session"}')).toBe(2);
    expect(sent).toHaveLength(2);
  });

  it('on a session that failed otherwise names no limit', async () => {
    const { session: create, press, pay: payElsewhere, metric } = await setUp();
    const [one, other] = [await create('A'), await create('A')];
    await payElsewhere(other, approvedBy('T2'));
    await expect(press(one)).rejects.toMatchObject({ code: 'session_final' });
    expect(await metric('turnpike_limited_total{limit="session"}')).toBe(0);
  });

  it.each([
    ['card', { attempts_per_card_per_hour: 1 }, ''],
    ['ip', { attempts_per_ip_per_hour: 1 }, '192.0.2.1'],
    ['account', { attempts_per_account_per_minute: 1 }, ''],
  ])('is limited by its %s, with the time when that ends', async (limit, limits, shopper_ip) => {
    const { session: create, press, metric, sent, truth } = await setUp(approval, { limits });
    await press(await create('A'), card, { shopper_ip });
    const next = await create('B');
    await expect(press(next, card, { shopper_ip })).rejects.toMatchObject({
      code: 'too_many_attempts',
      headers: { 'Retry-After': limit === 'account' ? '60' : '3600' },
    });
    expect(await metric(`turnpike_limited_total{limit="${limit}"}`)).toBe(1);
    expect(sent).toHaveLength(1);
    expect(await truth(next)).toMatchObject({ status: 'open', attempts: [] });
  });

  it('counts no attempt of which nothing was sent', async () => {
    const {
      session: create,
      press,
      gateway,
    } = await setUp(
      { kind: 'not_sent' },
      {
        limits: { attempts_per_card_per_hour: 1 },
      },
    );
    const session = await create('A');
    await expect(press(session)).rejects.toMatchObject({ code: 'gateway_unreachable' });
    await expect(press(session, card, { hasHungUp: () => true })).rejects.toMatchObject({
      code: 'gateway_unreachable',
    });
    gateway.answer = approval;
    expect(await press(session)).toMatchObject({ status: 'approved' });
    await expect(press(await create('B'))).rejects.toMatchObject({ code: 'too_many_attempts' });
  });

  it('on an order that something undecided holds fails without a query', async () => {
    const { session: create, press, pay: payElsewhere, queries } = await setUp();
    const [one, other] = [await create('A'), await create('A')];
    await payElsewhere(other, lost);
    await expect(press(one)).rejects.toMatchObject({ code: 'order_in_progress' });
    expect(queries).toEqual([]);
  });
});

describe('a stored attempt', () => {
  it('has the terms with which it is sent', async () => {
    const { context, account, session: create } = await setUp();
    const session = { ...(await create('A')), revision: 4 };
    expect(
      newAttempt(context, account, session, { card: '4111111111111111', security_code: '737' }, 'k1'),
    ).toStrictEqual({
      id: expect.stringMatching(/^at_/),
      session_id: session.id,
      key: 'k1',
      account: 'demo',
      order_no: 'A',
      method: 'card',
      card: '411111******1111',
      amount: '10.00',
      currency: 'BRL',
      revision: 4,
      started_at: context.now().toISOString(),
      state: { status: 'in_flight' },
    });
    expect(newAttempt(context, account, session, { token_id: 't' })).toMatchObject({ method: 'token' });
    expect(newAttempt(context, account, session, { token_id: 't' })).not.toHaveProperty('card');
    expect(newAttempt(context, account, session, { payment_method: 'PIX' })).toMatchObject({ method: 'PIX' });
  });

  it('knows the e-mails that were typed by their hashes', async () => {
    const { context, account, session: create } = await setUp();
    const session = await create('A');
    const emailsOf = (filled: Record<string, string>, shopper_email?: string) => {
      const order = { ...session.terms.order, ...(shopper_email === undefined ? {} : { shopper_email }) };
      return newAttempt(context, account, { ...session, terms: { ...session.terms, order, filled } }, {}).emails;
    };
    const [ada, eve] = ['ada@shop.example', 'eve@shop.example'].map((email) => emailHash(account, email));
    expect(emailsOf({ shopper_email: 'ada@shop.example', 'person.email': 'eve@shop.example' })).toEqual([ada, eve]);
    expect(emailsOf({ shopper_email: '', 'person.email': 'eve@shop.example' })).toEqual([eve]);
    expect(emailsOf({ shopper_email: 'ada@shop.example' }, 'ada@shop.example')).toBeUndefined();
    expect(emailsOf({})).toBeUndefined();
  });

  it('is counted by its card or token', () => {
    expect(paidWith({ card: '4', token_id: 't', security_code: '1' })).toStrictEqual({ card: '4', token_id: 't' });
    expect(paidWith({ payment_method: 'PIX' })).toStrictEqual({});
  });
});

describe('the result of an attempt', () => {
  type Told = { outcome: string; reason?: string } & Record<string, unknown>;
  const logs: [string, CallResult, Told][] = [
    ['payment answered', approval, { outcome: 'approved', status: 'approved', transaction_id: 'T1' }],
    ['payment answered', decline, { outcome: 'declined', status: 'open', transaction_id: 'T1' }],
    [
      'gateway refused a payment message',
      { kind: 'refused', status: 403, evidence: { http_status: 403 } },
      { outcome: 'refused', evidence: { http_status: 403 } },
    ],
    [
      'outcome unknown',
      { kind: 'unusable', fault: 'timeout', evidence: { http_status: 502 } },
      { outcome: 'unknown', reason: 'timeout', status: 'unknown', evidence: { http_status: 502 } },
    ],
  ];

  it.each(logs)('is logged and counted: %s', async (text, called, expected) => {
    const { session: create, press, orderOf, logged, metric } = await setUp(called);
    const session = await create('A');
    await press(session);
    const [attempt] = (await orderOf(session)).attempts;
    const [line] = logged(`"${text}"`);
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      ...expected,
      session: session.id,
      attempt: attempt?.id,
      name: 'direct_payment',
      ms: expect.any(Number),
    });
    const { outcome, reason = '' } = expected;
    expect(
      await metric(`turnpike_payments_total{operation="direct_payment",outcome="${outcome}",reason="${reason}"}`),
    ).toBe(1);
  });

  it('of an alternative method is counted as such', async () => {
    const { context, account, session: create, pay: begin, orderOf, metric } = await setUp(decline);
    const session = await create('A');
    const attempt = await begin(session, undefined, { payment_method: 'PIX' });
    const message = { operation: 'apm_payment', message: { order_no: 'A' } } as const;
    const order = await orderOf(session);
    const sending = { order, attempt, quotas: [], account, body: { payment_method: 'PIX' }, hasHungUp: () => false };
    // Nothing made it durable in this process, so nothing is sent.
    await expect(sendAttempt(context, { ...sending, ...message })).rejects.toMatchObject({
      code: 'gateway_unreachable',
    });
    expect(await metric('turnpike_payments_total{operation="apm_payment",outcome="not_sent",reason=""}')).toBe(1);
  });

  it('is unknown to the payer where it cannot be written', async () => {
    const { context, session: create, press, logged } = await setUp();
    const session = await create('A');
    const { write: writeOrder } = context.store.orders;
    const later: unknown[] = [];
    context.lateWrites = { add: (about) => void later.push(about) };
    let writes = 0;
    context.store.orders.write = async (write) => {
      if (++writes > 1) throw new RangeError('broken');
      return writeOrder(write);
    };
    expect(await press(session)).toEqual({ status: 'unknown' });
    const [line] = logged('outcome not stored, will retry');
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      session: session.id,
      name: 'direct_payment',
      outcome: 'approved',
      error: 'RangeError',
    });
    expect(later).toEqual([]);
  });
});

describe('a declined session', () => {
  it('may be paid again by another request', async () => {
    const { session: create, press, pay: payElsewhere } = await setUp();
    const session = await create('A');
    await payElsewhere(session, declinedOf('T0'));
    expect(await press(session)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });
});
