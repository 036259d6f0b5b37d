import { describe, expect, it } from 'vitest';
import { record, SECOND, type Story, story, toIssuer } from '../../../test/support/payments/sessions.ts';
import { isUnsettled } from '../attempt.ts';

/** The shopper came back from the issuer’s page, and a minute of queries showed no record. */
function notFound(method = 'PIX'): Story {
  const of = story();
  of.pay('at_1', { method });
  of.answer('at_1', toIssuer);
  of.pass(5 * SECOND);
  of.returned();
  for (const seconds of [0, 2, 3, 5, 10, 20, 20]) {
    of.pass(seconds * SECOND);
    of.query();
  }
  expect(of.state()).toMatchObject({ status: 'open', notice: 'not_paid' });
  return of;
}

describe.each(['PIX', 'card'])('a return without a record in time, by %s', (method) => {
  it.each([
    ['pending', '1000', 'pending'],
    ['unlisted', '77', 'unknown'],
  ])('holds the order once its record is %s', (_, code, status) => {
    const of = notFound(method);
    of.query(record('T1', code));
    expect(of.status()).toBe(status);
    expect(of.order().hold).toBe('held');
    expect(of.attempt()).toMatchObject({ status });
    expect(of.eventTypes()).toEqual(['session.redirected', `session.${status}`]);
    of.query(record('T1', '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('keeps the issuer’s page for a pending record until abandoned', () => {
    const of = notFound(method);
    const { issuer_url } = toIssuer;
    expect(of.attempt()).toMatchObject({ status: 'not_paid', issuer_url });
    of.query(record('T1', '1000'));
    expect(of.attempt()).toMatchObject({ status: 'pending', issuer_url });
    of.abandon();
    const isGivenUp = method === 'PIX';
    expect(of.attempt()).toHaveProperty('status', isGivenUp ? 'not_paid' : 'pending');
    expect('issuer_url' in (of.attempt() ?? {})).toBe(!isGivenUp);
  });

  it('is over once its pending record is declined', () => {
    const of = notFound(method);
    of.query(record('T1', '1000'));
    of.query(record('T1', '4100'));
    expect(of.state()).toMatchObject({ status: 'open', notice: 'declined' });
    expect(of.order().hold).toBe('free');
    expect(of.events.at(-1)).toMatchObject({ type: 'session.declined', reason: 'declined' });
  });

  it('is given up while its record is pending only without a card', () => {
    const of = notFound(method);
    of.query(record('T1', '1000'));
    expect(of.abandon()).toBe(method === 'card' ? 'cannot_abandon' : 'abandoned');
    of.query(record('T1', '1000'));
    expect(of.order().hold).toBe(method === 'card' ? 'held' : 'free');
    expect(of.order().attempts.some(isUnsettled)).toBe(method === 'card');
  });
});
