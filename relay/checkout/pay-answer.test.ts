import { describe, expect, it } from 'vitest';
import { attempt, moment, orderWith, result, session } from '../../test/support/payments/sessions.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { ProblemError } from '../base/errors.ts';
import { accountOf } from '../context/context.ts';
import type { Attempt, AttemptState } from '../payments/attempt.ts';
import type { SessionState } from '../payments/session.ts';
import { payAnswer } from './pay-answer.ts';
import { ownSecrets } from './send-attempt.ts';

const context = await testContext({ config: { limits: { attempts_per_session: 3 } }, now: () => moment(0) });
const account = accountOf(context, 'demo');
const search = { since: moment(0).toISOString(), looks: 0, needs_attention: false };

const approved: SessionState = { status: 'approved', attempt_id: 'at_9', transaction_id: 'T9' };
const unknown: SessionState = { status: 'unknown', attempt_id: 'at_1', search: { ...search, reason: 'timeout' } };
const pending: SessionState = { status: 'pending', attempt_id: 'at_1', search };
const declined: AttemptState = { status: 'declined', result, proof: 'answer' };
const refused: AttemptState = { status: 'refused', result, evidence: {} };

/** The answer to a payer whose attempt and session are in these states, after so many attempts of the session. */
function answer(state: AttemptState, of: SessionState, made = 1) {
  const others = Array.from({ length: made - 1 }, (_, n): Attempt => attempt(`at_0${n}`, { state: declined }));
  const one = attempt('at_1', { state });
  const payer = session('cs_1', { state: of });
  const order = orderWith({ sessions: [payer], attempts: [...others, one] });
  return payAnswer(context, account, { order, session: payer, attempt: one });
}

describe('the answer to a payer', () => {
  it('names the payment of an approved session', () => {
    const whole: SessionState = { ...approved, card: '411111******1111', result: { code: '0000', message: 'Success' } };
    expect(answer({ status: 'approved' }, whole)).toEqual({
      status: 'approved',
      order_no: 'A',
      transaction_id: 'T9',
      card: '411111******1111',
      result: { code: '0000', message: 'Success' },
    });
    expect(answer({ status: 'approved' }, approved)).toEqual({
      status: 'approved',
      order_no: 'A',
      transaction_id: 'T9',
      card: '',
      result: { code: '', message: '' },
    });
  });

  it.each<[AttemptState]>([
    [declined],
    [refused],
    [{ status: 'in_flight' }],
    [{ status: 'unknown', reason: 'timeout', evidence: {} }],
    [{ status: 'not_paid', reason: 'absent' }],
  ])('reports that its session is paid, for an attempt that is %j', (state) => {
    expect(answer(state, approved)).toMatchObject({ status: 'approved', transaction_id: 'T9' });
  });

  it.each<[AttemptState, SessionState, string]>([
    [{ status: 'approved' }, unknown, 'unknown'],
    [{ status: 'pending', since: search.since }, pending, 'pending'],
    [{ status: 'pending', since: search.since }, approved, 'pending'],
    [{ status: 'in_flight' }, { status: 'processing', attempt_id: 'at_1' }, 'unknown'],
    [{ status: 'unknown', reason: 'timeout', evidence: {} }, unknown, 'unknown'],
    [{ status: 'not_paid', reason: 'absent' }, { status: 'open' }, 'unknown'],
    [declined, pending, 'pending'],
    [declined, unknown, 'unknown'],
    [refused, unknown, 'unknown'],
  ])('of an attempt that is %j in a session that is %j is %s', (state, of, status) => {
    expect(answer(state, of)).toEqual({ status });
  });

  it.each([declined, refused])('advises a shopper after a decline: %j', (state) => {
    expect(answer(state, { status: 'open', advice: 'contact_bank' })).toEqual({
      status: 'declined',
      result,
      advice: 'contact_bank',
      attempts_left: state.status === 'refused' ? 3 : 2,
    });
  });

  it('advises another card where nothing is advised', () => {
    expect(answer(declined, { status: 'open' })).toMatchObject({ advice: 'try_another_card' });
    expect(answer(declined, { status: 'expired' })).toMatchObject({ advice: 'try_another_card' });
    expect(answer(declined, { status: 'failed', advice: 'check_details' })).toMatchObject({ advice: 'check_details' });
  });

  it('leaves no attempt once they are used up', () => {
    expect(answer(declined, { status: 'failed' }, 3)).toMatchObject({ attempts_left: 0 });
    expect(answer(declined, { status: 'failed' }, 5)).toMatchObject({ attempts_left: 0 });
  });

  it('leads to the issuer', () => {
    const redirected: AttemptState = { status: 'redirected', issuer_url: 'https://issuer.example/' };
    const sent = answer(redirected, { status: 'redirected', attempt_id: 'at_1' });
    expect(sent).toEqual({
      status: 'redirect',
      redirect_url: expect.stringContaining('http://127.0.0.1:8080/checkout/cs_1/issuer?ticket='),
    });
  });

  it('is a problem where nothing was sent', () => {
    expect(() => answer({ status: 'not_sent' }, { status: 'open' })).toThrow(
      new ProblemError('gateway_unreachable', 'The gateway cannot be reached, so nothing was sent. Try again.'),
    );
  });
});

it('masks the typed card data in the gateway’s answer', () => {
  expect(ownSecrets({ card: '4111111111111111', security_code: '737' })).toEqual({
    card: '4111111111111111',
    security_code: '737',
  });
  expect(ownSecrets({ card: '', security_code: '' })).toStrictEqual({});
  expect(ownSecrets({ token_id: 't' })).toStrictEqual({});
});
