import { describe, expect, it } from 'vitest';
import {
  declinedOf,
  HOUR,
  lost,
  moment,
  record,
  SECOND,
  session,
  story,
} from '../../../test/support/payments/sessions.ts';
import { absent, pending, two, unanswered } from '../../../test/support/payments/stories.ts';
import { attemptOf } from '../order.ts';

describe('a session of an order that is pending', () => {
  it('stays open where another one reports that', () => {
    const of = pending(two());
    of.query(record('T1', '1000'));
    expect([of.status('cs_1'), of.status('cs_2')]).toEqual(['pending', 'open']);
  });

  it('waits for the attempt that the record is of', () => {
    const of = two();
    of.pay('at_0');
    of.answer('at_0', declinedOf('T0'));
    pending(of, 'PIX');
    of.holdPaying('cs_2');
    of.query(record('T1', '1000'));
    expect(of.state('cs_2')).toMatchObject({ status: 'pending', attempt_id: 'at_1', search: { looks: 1 } });
  });

  it('is unknown while another attempt of its own is', () => {
    const of = absent();
    of.pay('at_2');
    of.answer('at_2', lost);
    of.pass(5 * SECOND);
    of.query(record('T1', '1000'));
    expect([of.attempt('at_1').status, of.attempt('at_2').status]).toEqual(['pending', 'unknown']);
    expect(of.state()).toMatchObject({ status: 'unknown', attempt_id: 'at_2', search: { reason: 'timeout' } });
  });
});

describe('a session that needed a person after a pending payment', () => {
  it('needs none at once where that is not listed any more', () => {
    const of = pending(story({ sessions: [session('cs_1', { expires_at: moment(HOUR).toISOString() })] }));
    of.pass(HOUR);
    of.query(record('T1', '1000'));
    expect(of.state()).toMatchObject({ status: 'pending', search: { needs_attention: true } });
    of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { needs_attention: false } });
  });
});

describe('an attempt that is being sent', () => {
  it('is as it was where a record holds its order', () => {
    const of = story();
    of.pay();
    const before = attemptOf(of.order(), 'at_1');
    of.query(record('T1', '77'));
    expect(attemptOf(of.order(), 'at_1')).toEqual(before);
  });
});

describe('a notification about a payment that a person reported', () => {
  it('is followed no more once the gateway shows another one', () => {
    const of = unanswered();
    of.person({ outcome: 'approved', transaction_id: 'P1' });
    of.notify();
    of.query(record('T1', '3000'));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T1' }]);
    expect(of.order()).not.toHaveProperty('repeats');
  });
});
