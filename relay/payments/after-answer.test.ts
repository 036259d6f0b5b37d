import { describe, expect, it } from 'vitest';
import { attempt, circumstances, now, result, session } from '../../test/support/sessions.ts';
import { afterAnswer } from './after-answer.ts';

const processing = session({ status: 'processing', attempt_id: '1' });
const one = attempt('1');

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
