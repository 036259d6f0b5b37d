import { describe, expect, it } from 'vitest';
import { Refused, Unanswered, Unreadable } from '../api/send.ts';
import { afterTry, type Intent } from './action.ts';

const intent: Intent<object> = { key: 'first', sent: { body: {}, at: 1 }, phase: { step: 'sending' } };
const afterError = (error: unknown): Intent<object> => afterTry(intent, { kind: 'error', error }, () => 'second');
const refused = (code: string, status: number, operationId?: string): Refused =>
  new Refused({ code, status, detail: code, operationId, retryAfterSeconds: undefined });

describe('an intent after a try', () => {
  it('keeps its key where no answer came', () => {
    expect(afterError(new Unanswered())).toEqual({ ...intent, phase: { step: 'unanswered' } });
  });

  it.each([
    ['in_progress', 409],
    ['internal', 500],
    ['gateway_timeout', 504],
    ['store_unavailable', 503],
  ])('keeps its key where the relay may have taken it: %s', (code, status) => {
    expect(afterError(refused(code, status))).toEqual({ ...intent, phase: { step: 'unanswered' } });
  });

  it.each(['outcome_unknown', 'operation_settled', 'idempotency_key_reused', 'request_id_used'])(
    'is not sent again after %s',
    (code) => {
      expect(afterError(refused(code, 409, 'op_1')).phase).toEqual({ step: 'unknown', operationId: 'op_1' });
    },
  );

  it('is unknown where the answer cannot be read', () => {
    expect(afterError(new Unreadable()).phase.step).toBe('unknown');
  });

  it.each([
    ['refund_exceeds_payment', 409],
    ['gateway_refused', 422],
    ['gateway_unreachable', 503],
    ['missing_scope', 403],
  ])('may be written anew, with another key, after %s', (code, status) => {
    expect(afterError(refused(code, status))).toEqual({
      key: 'second',
      phase: { step: 'writing', refusal: expect.any(Refused) },
    });
  });

  it.each([
    ['missing_scope', 403, 'unanswered'],
    ['too_many_attempts', 429, 'unanswered'],
    ['not_found', 404, 'unanswered'],
    ['above_limit', 403, 'writing'],
    ['refund_exceeds_payment', 409, 'writing'],
    ['relay_paused', 503, 'writing'],
  ])('stays unanswered after a retry unless its key was checked: %s', (code, status, step) => {
    const again: Intent<object> = { ...intent, phase: { step: 'sending', isAgain: true } };
    const { key, phase } = afterTry(again, { kind: 'error', error: refused(code, status) }, () => 'second');
    expect([key, phase.step]).toEqual([step === 'writing' ? 'second' : 'first', step]);
  });

  it('waits for another person, and is not sent again', () => {
    const ending = { kind: 'held', until: '2027-03-31T10:00:00.000Z' } as const;
    expect(afterTry(intent, ending, () => 'second').phase).toEqual({ step: 'held', until: ending.until });
  });

  it('ends only when the gateway reported the outcome', () => {
    const ended = (outcome: 'succeeded' | 'failed' | 'unknown') =>
      afterTry(intent, { kind: 'operation', outcome, id: 'op_1' }, () => 'second').phase.step;
    expect([ended('succeeded'), ended('failed'), ended('unknown')]).toEqual(['done', 'done', 'unknown']);
  });
});
