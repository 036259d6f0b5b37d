import { describe, expect, it } from 'vitest';
import { attempt, DAY, HOUR, moment, result } from '../../test/support/payments/sessions.ts';
import {
  type AttemptState,
  attemptsMade,
  isAbandoned,
  isApm,
  isUnsettled,
  isWatched,
  isWatchedAt,
  wasSent,
  wasTaken,
  watchedSince,
} from './attempt.ts';

const since = moment(0).toISOString();

/** The states of an attempt, and the predicates that are true in each. */
const cases: [AttemptState, string[]][] = [
  [{ status: 'in_flight' }, ['unsettled', 'sent', 'taken']],
  [{ status: 'redirected', issuer_url: 'https://issuer.example/' }, ['unsettled', 'sent', 'taken']],
  [{ status: 'pending', since }, ['unsettled', 'sent', 'taken']],
  [{ status: 'unknown', reason: 'timeout', evidence: {} }, ['unsettled', 'sent', 'taken']],
  [{ status: 'approved' }, ['sent', 'taken']],
  [{ status: 'declined', result, proof: 'answer' }, ['sent', 'taken']],
  [{ status: 'declined', result, proof: 'record' }, ['watched', 'sent', 'taken']],
  [{ status: 'declined', result }, ['watched', 'sent', 'taken']],
  [{ status: 'not_paid', reason: 'absent' }, ['watched', 'sent', 'taken']],
  [{ status: 'not_paid', reason: 'settled' }, ['watched', 'sent', 'taken']],
  [{ status: 'not_paid', reason: 'abandoned' }, ['watched', 'abandoned', 'sent', 'taken']],
  [{ status: 'not_paid', reason: 'not_found' }, ['watched', 'sent', 'taken']],
  [{ status: 'refused', result, evidence: {} }, ['watched', 'sent']],
  [{ status: 'not_sent' }, []],
];

describe('an attempt', () => {
  it.each(cases)('in the state %j is as open as that', (state, expected) => {
    const one = attempt('at_1', { method: 'PIX', state });
    const traits = {
      unsettled: isUnsettled,
      watched: isWatched,
      abandoned: isAbandoned,
      sent: wasSent,
      taken: wasTaken,
    };
    for (const [name, is] of Object.entries(traits)) expect(is(one), name).toBe(expected.includes(name));
  });

  it('by card is never abandoned', () => {
    const state: AttemptState = { status: 'not_paid', reason: 'abandoned' };
    for (const method of ['card', 'token']) expect(isAbandoned(attempt('at_1', { method, state }))).toBe(false);
  });

  it('is watched after a signed decline once notified about', () => {
    const declined: AttemptState = { status: 'declined', result, proof: 'answer' };
    expect(isWatched(attempt('at_1', { state: declined, notified_at: since }))).toBe(true);
    expect(isWatched(attempt('at_1', { state: { status: 'approved' }, notified_at: since }))).toBe(false);
  });

  it('is watched for thirty days from its end', () => {
    const ended = attempt('at_1', {
      settled_at: moment(HOUR).toISOString(),
      state: { status: 'not_paid', reason: 'absent' },
    });
    expect(isWatchedAt(ended, moment(30 * DAY + HOUR - 1))).toBe(true);
    expect(isWatchedAt(ended, moment(30 * DAY + HOUR))).toBe(false);
    expect(isWatchedAt({ ...ended, state: { status: 'approved' } }, moment(HOUR))).toBe(false);
  });

  it('is watched from its end, or a later notification', () => {
    const settled_at = moment(HOUR).toISOString();
    expect(watchedSince(attempt())).toBe(since);
    expect(watchedSince(attempt('at_1', { settled_at }))).toBe(settled_at);
    expect(watchedSince(attempt('at_1', { settled_at, notified_at: moment(DAY).toISOString() }))).toBe(
      moment(DAY).toISOString(),
    );
    expect(watchedSince(attempt('at_1', { settled_at, notified_at: since }))).toBe(settled_at);
  });

  it.each([
    ['card', false],
    ['token', false],
    ['PIX', true],
  ])('by %s is completed elsewhere: %s', (method, expected) => {
    expect(isApm(attempt('at_1', { method }))).toBe(expected);
  });

  it('counts for its own session, if the gateway took it', () => {
    const attempts = [
      ...cases.map(([state], at) => attempt(`at_${at}`, { state })),
      attempt('other', { session_id: 'cs_2' }),
    ];
    expect(attemptsMade('cs_1', attempts)).toBe(12);
    expect(attemptsMade('cs_2', attempts)).toBe(1);
  });
});
