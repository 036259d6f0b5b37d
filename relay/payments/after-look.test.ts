import { describe, expect, it } from 'vitest';
import { attempt, circumstances, now, result, session, unknownSession } from '../../test/support/sessions.ts';
import { afterLook, type Finding } from './after-look.ts';

describe('a session after a look at the gateway', () => {
  const redirected = session({ status: 'redirected', attempt_id: '1', next_look_at: now.toISOString() });
  const away = attempt('1', { status: 'redirected', issuer_url: 'https://bank.example/' });

  it('is open again when the shopper came back unpaid', () => {
    const change = afterLook(redirected, away, { kind: 'absent' }, 'shopper_is_back', circumstances(away));
    expect(change).toMatchObject({ hold: 'free', session: { state: { status: 'open', notice: 'not_paid' } } });
  });

  it('is unknown when the query proved nothing', () => {
    expect(
      afterLook(
        redirected,
        away,
        { kind: 'not_counted', why: 'query_unanswered' },
        'shopper_is_back',
        circumstances(away),
      )?.session.state,
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
    for (const occasion of ['notification', 'payment', 'resolver'] as const) {
      const change = afterLook(redirected, away, { kind: 'absent' }, occasion, circumstances(away));
      expect(change).toMatchObject({
        hold: 'held',
        session: { version: 8, state: { status: 'redirected', next_look_at: '2026-01-01T12:01:00.000Z' } },
      });
    }
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
    const change = afterLook(
      unknownSession(16, 2),
      lost,
      { kind: 'not_counted', why: 'query_unanswered' },
      'resolver',
      circumstances(lost),
    );
    expect(change?.session.state).toMatchObject({ status: 'unknown', search: { absent_looks: 2, looks: 6 } });
  });

  it('backs off, up to max_ms', () => {
    const change = afterLook(unknownSession(1, 0), lost, { kind: 'absent' }, 'resolver', circumstances(lost));
    expect(change?.session.state).toMatchObject({ search: { next_look_at: '2026-01-01T12:01:00.000Z' } });
  });

  it('is looked at by the resolver when it was due anyway, however often others ask meanwhile', () => {
    for (const minutesAgo of [1, 60 * 25]) {
      for (const occasion of ['shopper_is_back', 'notification', 'payment'] as const) {
        const before = unknownSession(minutesAgo, 0);
        const due = new Date(now.getTime() - minutesAgo * 60_000).toISOString();
        const change = afterLook(before, lost, { kind: 'absent' }, occasion, circumstances(lost));
        expect(change?.session.state).toMatchObject({
          search: { looks: 5, next_look_at: due, last_look: { at: now.toISOString(), found: 'absent' } },
        });
      }
    }
  });

  it('asks for a person after give_up_ms, and is then looked at daily', () => {
    const change = afterLook(
      unknownSession(60 * 25, 0),
      lost,
      { kind: 'not_counted', why: 'query_unanswered' },
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

  describe('that was approved', () => {
    const state = { status: 'approved', attempt_id: '2', transaction_id: 'T2', recurring_id: 'R2' } as const;
    const approved = session(state);
    const left = attempt('1', { status: 'not_paid' });
    const paid = { ...attempt('2', { status: 'approved' }), transaction_id: 'T2' };

    it.each<Finding>([
      { kind: 'absent' },
      { kind: 'undecided', reason: 'pending' },
      { kind: 'not_counted', why: 'query_refused' },
    ])('stays so, whatever is found: %o', (finding) => {
      expect(afterLook(approved, left, finding, 'notification', circumstances(left, paid))).toBeUndefined();
    });

    it('stays so when an attempt that was left turns out to be declined', () => {
      const finding = { kind: 'declined', transaction_id: 'T1', result } as const;
      const change = afterLook(approved, left, finding, 'notification', circumstances(left, paid));
      expect(change).toMatchObject({
        hold: 'unchanged',
        session: { state },
        attempt: { state: { status: 'declined' } },
      });
    });

    it('stays so, with its first transaction, when an attempt that was left turns out to be paid too', () => {
      const finding = { kind: 'approved', transaction_id: 'T1', recurring_id: 'R1' } as const;
      const change = afterLook(approved, left, finding, 'notification', circumstances(left, paid));
      expect(change?.session.state).toEqual({ ...state, paid_twice: ['T1'] });
      expect(change).toMatchObject({ hold: 'paid', attempt: { transaction_id: 'T1', state: { status: 'approved' } } });
    });
  });

  it('waits longer after a query that proved nothing, too', () => {
    const finding = { kind: 'not_counted', why: 'query_refused' } as const;
    const change = afterLook(unknownSession(1, 0), lost, finding, 'resolver', circumstances(lost));
    expect(change?.session.state).toMatchObject({
      search: {
        next_look_at: '2026-01-01T12:01:00.000Z',
        last_look: { at: now.toISOString(), found: 'query_refused' },
      },
    });
  });

  it('is not given up before its time, and no later than that', () => {
    const soon = afterLook(unknownSession(60 * 24 - 0.5, 0), lost, { kind: 'absent' }, 'resolver', circumstances(lost));
    expect(soon?.session.state).toMatchObject({
      search: { needs_attention: false, next_look_at: '2026-01-01T12:00:30.000Z' },
    });
  });

  it('begins to count anew when the gateway knew something of it in between', () => {
    const finding = { kind: 'undecided', reason: 'pending' } as const;
    const change = afterLook(unknownSession(16, 2), lost, finding, 'resolver', circumstances(lost));
    expect(change?.session.state).toMatchObject({ status: 'unknown', search: { reason: 'pending', absent_looks: 0 } });
  });
});
