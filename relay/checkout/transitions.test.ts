import { describe, expect, it } from 'vitest';
import { order } from '../../shared/checkout/session.ts';
import { afterAnswer } from './after-answer.ts';
import { afterLook } from './after-look.ts';
import type { Attempt, Session, SessionState } from './session.ts';
import type { Circumstances } from './transitions.ts';

const now = new Date('2026-01-01T12:00:00.000Z');
const limits = {
  attempts_per_session: 3,
  attempts_per_ip_per_hour: 30,
  attempts_per_card_per_hour: 10,
  attempts_per_account_per_minute: 600,
};
const resolve = { first_ms: 1000, max_ms: 60_000, absent_ms: 900_000, give_up_ms: 86_400_000 };
const result = { code: '2001', message: 'no' };

function session(state: SessionState): Session {
  return {
    id: 'cs_1',
    account: 'demo',
    order_no: 'A',
    created_at: now.toISOString(),
    expires_at: '2026-01-02T12:00:00.000Z',
    revision: 1,
    version: 7,
    terms: {
      order: order.parse({ order_no: 'A', currency: 'BRL', amount: '10.00' }),
      methods: [{ type: 'card' }],
      installment_options: [],
      saved_cards: [],
      collect: [],
    },
    state,
  };
}

function attempt(id: string, state: Attempt['state'] = { status: 'in_flight' }): Attempt {
  const started_at = now.toISOString();
  return {
    id,
    session_id: 'cs_1',
    account: 'demo',
    order_no: 'A',
    method: 'card',
    amount: '10.00',
    currency: 'BRL',
    started_at,
    state,
  };
}

const circumstances = (...attempts: Attempt[]): Circumstances => ({ now, attempts, limits, resolve });
const processing = session({ status: 'processing', attempt_id: '1' });
const one = attempt('1');

function unknownSession(minutesAgo: number, absentLooks: number): Session {
  const since = new Date(now.getTime() - minutesAgo * 60_000).toISOString();
  const search = {
    reason: 'timeout' as const,
    since,
    next_look_at: since,
    looks: 5,
    absent_looks: absentLooks,
    needs_attention: false,
  };
  return session({ status: 'unknown', attempt_id: '1', search });
}

describe('a session after the gateway’s answer', () => {
  it('is approved for good', () => {
    const outcome = { kind: 'approved', transaction_id: 'T1', result } as const;
    const change = afterAnswer(processing, one, outcome, circumstances(one));
    expect(change).toMatchObject({
      hold: 'paid',
      session: { version: 8, state: { status: 'approved', transaction_id: 'T1' } },
    });
    expect(change.attempt).toMatchObject({
      transaction_id: 'T1',
      settled_at: now.toISOString(),
      state: { status: 'approved' },
    });
  });

  it('is open again after a decline, and failed after the last one', () => {
    const outcome = { kind: 'declined', result, advice: 'contact_bank' } as const;
    const first = afterAnswer(processing, one, outcome, circumstances(one));
    expect(first).toMatchObject({
      hold: 'free',
      session: { state: { status: 'open', notice: 'declined', advice: 'contact_bank' } },
    });
    const earlier = [attempt('a', { status: 'declined', result }), attempt('b', { status: 'declined', result })];
    const last = afterAnswer(processing, one, outcome, circumstances(...earlier, one));
    expect(last.session.state).toMatchObject({ status: 'failed', result });
  });

  it('counts no attempt that the gateway did not take', () => {
    const outcome = { kind: 'declined', result, advice: 'contact_bank' } as const;
    const earlier = [attempt('a', { status: 'not_sent' }), attempt('b', { status: 'refused', result, evidence: {} })];
    expect(afterAnswer(processing, one, outcome, circumstances(...earlier, one)).session.state.status).toBe('open');
  });

  it('is open when the gateway refused the message, but unknown if an earlier attempt was never proved unpaid', () => {
    const outcome = { kind: 'refused', result: { code: 'http_400', message: '' }, evidence: {} } as const;
    expect(afterAnswer(processing, one, outcome, circumstances(one)).session.state.status).toBe('open');
    const left = attempt('0', { status: 'not_paid' });
    const change = afterAnswer(processing, one, outcome, circumstances(left, one));
    expect(change).toMatchObject({ hold: 'held', session: { state: { status: 'unknown' } } });
  });

  it('stays open when nothing was sent', () => {
    const change = afterAnswer(processing, one, { kind: 'not_sent' }, circumstances(one));
    expect(change).toMatchObject({
      hold: 'free',
      session: { state: { status: 'open' } },
      attempt: { state: { status: 'not_sent' } },
    });
  });

  it('holds the order while the outcome is not known', () => {
    const outcome = { kind: 'unknown', reason: 'timeout', evidence: {} } as const;
    const change = afterAnswer(processing, one, outcome, circumstances(one));
    expect(change).toMatchObject({
      hold: 'held',
      session: {
        state: { status: 'unknown', search: { reason: 'timeout', next_look_at: '2026-01-01T12:00:01.000Z', looks: 0 } },
      },
    });
  });
});

describe('a session after a look at the gateway', () => {
  const redirected = session({ status: 'redirected', attempt_id: '1', next_look_at: now.toISOString() });
  const away = attempt('1', { status: 'redirected', issuer_url: 'https://bank.example/' });

  it('is open again when the shopper came back unpaid', () => {
    const change = afterLook(redirected, away, { kind: 'absent' }, 'shopper_is_back', circumstances(away));
    expect(change).toMatchObject({ hold: 'free', session: { state: { status: 'open', notice: 'not_paid' } } });
  });

  it('is unknown when the query proved nothing', () => {
    expect(
      afterLook(redirected, away, { kind: 'not_counted' }, 'shopper_is_back', circumstances(away))?.session.state,
    ).toMatchObject({
      status: 'unknown',
      search: { reason: 'query_failed' },
    });
  });

  it('is unknown while the payment is pending', () => {
    const finding = { kind: 'undecided', reason: 'pending' } as const;
    expect(afterLook(redirected, away, finding, 'shopper_is_back', circumstances(away))).toMatchObject({
      hold: 'held',
      session: { state: { status: 'unknown' } },
    });
  });

  it('stays away, and is looked at again later, while somebody else than its shopper asks', () => {
    const change = afterLook(redirected, away, { kind: 'absent' }, 'notification', circumstances(away));
    expect(change).toMatchObject({
      hold: 'held',
      session: { version: 8, state: { status: 'redirected', next_look_at: '2026-01-01T12:01:00.000Z' } },
    });
  });

  it('is looked for as unknown once its time is over and nobody came back', () => {
    const over = { ...redirected, expires_at: now.toISOString() };
    const change = afterLook(over, away, { kind: 'absent' }, 'resolver', circumstances(away));
    expect(change).toMatchObject({
      hold: 'held',
      session: { state: { status: 'unknown', search: { reason: 'left_at_issuer' } } },
    });
  });

  it('is approved after all when an attempt that was left turns out to be paid, and by nothing less', () => {
    const left = attempt('1', { status: 'not_paid' });
    for (const status of ['open', 'failed', 'expired'] as const) {
      const over = session({ status });
      const paid = { kind: 'approved', transaction_id: 'T1' } as const;
      expect(afterLook(over, left, paid, 'notification', circumstances(left))).toMatchObject({
        hold: 'paid',
        session: { state: { status: 'approved', transaction_id: 'T1' } },
      });
      expect(afterLook(over, left, { kind: 'absent' }, 'shopper_is_back', circumstances(left))).toBeUndefined();
    }
  });

  const lost = attempt('1', { status: 'unknown', reason: 'timeout', evidence: {} });

  it('is not re-opened before absent_ms, however often it was absent', () => {
    const change = afterLook(unknownSession(14, 50), lost, { kind: 'absent' }, 'resolver', circumstances(lost));
    expect(change).toMatchObject({ hold: 'held', session: { state: { status: 'unknown' } } });
  });

  it('is not re-opened before the third query that does not know it', () => {
    expect(afterLook(unknownSession(16, 1), lost, { kind: 'absent' }, 'resolver', circumstances(lost))?.hold).toBe(
      'held',
    );
    const change = afterLook(unknownSession(16, 2), lost, { kind: 'absent' }, 'resolver', circumstances(lost));
    expect(change).toMatchObject({ hold: 'free', session: { state: { status: 'open', notice: 'not_paid' } } });
  });

  it('does not count a query that proved nothing as one that does not know it', () => {
    const change = afterLook(unknownSession(16, 2), lost, { kind: 'not_counted' }, 'resolver', circumstances(lost));
    expect(change?.session.state).toMatchObject({ status: 'unknown', search: { absent_looks: 2, looks: 6 } });
  });

  it('backs off, up to max_ms', () => {
    const change = afterLook(unknownSession(1, 0), lost, { kind: 'absent' }, 'resolver', circumstances(lost));
    expect(change?.session.state).toMatchObject({ search: { next_look_at: '2026-01-01T12:01:00.000Z' } });
  });

  it('asks for a person after give_up_ms, and is then looked at daily', () => {
    const change = afterLook(
      unknownSession(60 * 25, 0),
      lost,
      { kind: 'not_counted' },
      'resolver',
      circumstances(lost),
    );
    expect(change?.session.state).toMatchObject({
      status: 'unknown',
      search: { needs_attention: true, next_look_at: '2026-01-02T12:00:00.000Z' },
    });
  });

  it('is approved late when the gateway proves it', () => {
    const finding = { kind: 'approved', transaction_id: 'T9', recurring_id: 'R9' } as const;
    const change = afterLook(unknownSession(60 * 25, 0), lost, finding, 'resolver', circumstances(lost));
    expect(change).toMatchObject({
      hold: 'paid',
      session: { state: { status: 'approved', transaction_id: 'T9', recurring_id: 'R9' } },
    });
  });
});
