import { describe, expect, it } from 'vitest';
import type { Message } from '../../../shared/gateway/signature.ts';
import { codeBook } from '../../gateway/profile.ts';
import type { OperationState } from './operation.ts';
import { afterPayoutMessage, isIgnoredContradiction, payoutOutcome } from './payout-message.ts';

const codes = codeBook.parse({ payout_status: { completed: ['COMPLETED'], failed: ['FAILED', 'RETURNED'] } });
const now = '2026-11-21T10:00:00.000Z';
const [early, late] = ['2026-11-21T09:00:00Z', '2026-11-21T09:30:00Z'] as const;

const said = (status: string | undefined, last_updated_at?: string, more: Message = {}): Message => ({
  ...(status === undefined ? {} : { status }),
  ...(last_updated_at === undefined ? {} : { last_updated_at }),
  ...more,
});

const answered = (answer: Message, disputed?: string): OperationState => ({
  status: 'answered',
  answer,
  items: [disputed === undefined ? payoutOutcome(answer, codes) : 'unknown'],
  ...(disputed === undefined ? {} : { disputed }),
});

const settled = (item: 'succeeded' | 'failed', answer?: Message): OperationState => ({
  status: 'settled',
  settlement: { by: 'person', who: 'ops', items: [item] },
  ...(answer ? { answer } : {}),
});

const notified = (current: OperationState, message: Message) =>
  afterPayoutMessage(current, message, 'notification', codes, now);
const answeredBy = (current: OperationState, message: Message) =>
  afterPayoutMessage(current, message, 'answer', codes, now);

describe('a payout’s status', () => {
  it.each([
    ['COMPLETED', 'succeeded'],
    ['FAILED', 'failed'],
    ['RETURNED', 'failed'],
    ['PENDING', 'unknown'],
    [undefined, 'unknown'],
  ] as const)('%s is %s', (status, outcome) => {
    expect(payoutOutcome(said(status), codes)).toBe(outcome);
  });
});

describe('a notification about a payout', () => {
  it('ends one that is on its way', () => {
    expect(notified(answered(said('PENDING', early, { fee: '1.00' })), said('COMPLETED', late))).toEqual({
      status: 'answered',
      answer: { status: 'COMPLETED', last_updated_at: late, fee: '1.00' },
      items: ['succeeded'],
    });
    expect(notified(answered(said('PENDING')), said('FAILED'))).toMatchObject({ items: ['failed'] });
    expect(notified({ status: 'unknown', reason: 'timeout', since: now, evidence: {} }, said('COMPLETED'))).toEqual({
      status: 'answered',
      answer: { status: 'COMPLETED' },
      items: ['succeeded'],
    });
  });

  it('without a status keeps the one that is known', () => {
    expect(notified(answered(said('PENDING', early)), said(undefined, late, { fee: '2.00' }))).toEqual({
      status: 'answered',
      answer: { status: 'PENDING', last_updated_at: late, fee: '2.00' },
      items: ['unknown'],
    });
    expect(notified(answered(said('COMPLETED', early)), said(undefined, late))).toBeUndefined();
  });

  it.each(['PENDING', 'SETTLED'])('that is later and no end changes no end: %s', (status) => {
    const later = said(status, late, { fee: '2.00' });
    for (const end of ['COMPLETED', 'RETURNED']) {
      expect(notified(answered(said(end, early)), later)).toBeUndefined();
      expect(notified(answered(said(end)), later)).toBeUndefined();
    }
    expect(notified(answered(said('COMPLETED', early), early), later)).toBeUndefined();
    expect(answeredBy(answered(said('COMPLETED', early)), later)).toEqual({
      status: 'answered',
      answer: { status: 'COMPLETED', last_updated_at: early, fee: '2.00' },
      items: ['succeeded'],
    });
  });

  it('ends one that was on its way later', () => {
    const state = notified(answered(said('PENDING', late, { fee: '1.00' })), said('COMPLETED', early));
    expect(state).toEqual({
      status: 'answered',
      answer: { status: 'COMPLETED', last_updated_at: early, fee: '1.00' },
      items: ['succeeded'],
    });
  });

  it('that is later turns one end into the other', () => {
    expect(notified(answered(said('COMPLETED', early)), said('RETURNED', late))).toMatchObject({ items: ['failed'] });
    expect(notified(answered(said('FAILED', early)), said('COMPLETED', late))).toMatchObject({ items: ['succeeded'] });
  });

  it('that is older, the same, or no end changes nothing', () => {
    const known = answered(said('RETURNED', late));
    expect(notified(known, said('COMPLETED', early))).toBeUndefined();
    expect(notified(known, said('RETURNED', late))).toBeUndefined();
    expect(notified(known, said('PENDING'))).toBeUndefined();
    expect(notified(known, said('PENDING', late))).toBeUndefined();
  });

  it('of the same end without a time keeps when it ended', () => {
    const known = answered(said('RETURNED', late));
    expect(notified(known, said('RETURNED'))).toBeUndefined();
    const fuller = answered(said('RETURNED', late, { fee: '1.00' }));
    expect(notified(fuller, said('RETURNED', undefined, { fee: '1.00' }))).toBeUndefined();
    for (const time of [undefined, 'yesterday']) {
      const repeated = notified(known, said('RETURNED', time, { fee: '1.00' }));
      expect(repeated).toEqual({
        status: 'answered',
        answer: { status: 'RETURNED', last_updated_at: late, fee: '1.00' },
        items: ['failed'],
      });
      if (repeated) expect(notified(repeated, said('COMPLETED', early))).toBeUndefined();
    }
  });

  it('without a time ends a payout in transit without a time', () => {
    expect(notified(answered(said('PENDING', late)), said('RETURNED'))?.answer).toEqual({ status: 'RETURNED' });
    expect(notified(answered(said('RETURNED')), said('RETURNED', undefined, { fee: '1.00' }))?.answer).toEqual({
      status: 'RETURNED',
      fee: '1.00',
    });
  });

  it.each([
    ['without a time', said('COMPLETED')],
    ['of the same time', said('COMPLETED', late)],
    ['with a time that is none', said('COMPLETED', 'yesterday')],
  ])('of the other end %s is disputed', (_, message) => {
    const state = notified(answered(said('RETURNED', late)), message);
    expect(state).toMatchObject({ status: 'answered', items: ['unknown'], disputed: now });
    expect(state?.answer).toMatchObject({ status: 'COMPLETED' });
  });

  it('without a time leaves a disputed payout disputed since then', () => {
    const disputed = answered(said('COMPLETED'), early);
    expect(notified(disputed, said('RETURNED'))).toMatchObject({ items: ['unknown'], disputed: early });
    expect(notified(disputed, said('COMPLETED'))).toMatchObject({ items: ['unknown'], disputed: early });
    expect(notified(disputed, said('PENDING'))).toBeUndefined();
    const open = answered(said('PENDING'), early);
    expect(notified(open, said('COMPLETED'))).toMatchObject({ items: ['unknown'], disputed: early });
  });

  it('that is later ends a dispute', () => {
    const state = notified(answered(said('COMPLETED', early), early), said('RETURNED', late));
    expect(state).toEqual({
      status: 'answered',
      answer: { status: 'RETURNED', last_updated_at: late },
      items: ['failed'],
    });
  });
});

describe('a payout that a person settled', () => {
  it('stays so until the gateway reports its end', () => {
    expect(notified(settled('succeeded'), said('PENDING', late))).toBeUndefined();
    expect(notified(settled('succeeded', said('PENDING', early)), said('FAILED', late))).toEqual({
      status: 'answered',
      answer: { status: 'FAILED', last_updated_at: late },
      items: ['failed'],
      settlement: { by: 'person', who: 'ops', items: ['succeeded'] },
    });
  });

  const between = (answer: Message): OperationState => ({
    ...{ status: 'settled', settlement: { by: 'person', who: 'ops', items: ['failed'] } },
    ...{ answer, disputed: early },
  });

  it.each<[string, Message, Message]>([
    ['the other end without a time', said('FAILED'), said('COMPLETED', undefined, { note: 'anew' })],
    ['its last end without a time', said('COMPLETED'), said('COMPLETED', undefined, { note: 'anew' })],
    ['the other end of the same time', said('FAILED', early), said('COMPLETED', early)],
    ['the same end', said('COMPLETED'), said('FAILED')],
    ['the same end later', said('COMPLETED'), said('FAILED', late)],
    ['no end later', said('COMPLETED', early), said('PENDING', late)],
    ['the other end earlier', said('FAILED', late), said('COMPLETED', early)],
  ])('between two ends stays so after %s', (_, known, message) => {
    expect(notified(between(known), message)).toBeUndefined();
  });

  it('between two ends changes by an end with a later time', () => {
    expect(notified(between(said('FAILED', early)), said('COMPLETED', late))).toEqual({
      status: 'answered',
      answer: { status: 'COMPLETED', last_updated_at: late },
      items: ['succeeded'],
      settlement: { by: 'person', who: 'ops', items: ['failed'] },
    });
  });

  it('between two ends is disputed again by the first time given', () => {
    for (const known of [said('FAILED'), said('COMPLETED')])
      expect(notified(between(known), said('COMPLETED', late))).toMatchObject({ items: ['unknown'], disputed: now });
  });
});

describe('a payout’s own answer that comes late', () => {
  it('supplies what is not known, and changes no end', () => {
    const known = answered(said('COMPLETED', late, { fee: '1.00' }));
    const answer = said('PENDING', early, { fee: '2.00', payout_id: 'P-1' });
    expect(answeredBy(known, answer)).toEqual({
      status: 'answered',
      answer: { status: 'COMPLETED', last_updated_at: late, fee: '1.00', payout_id: 'P-1' },
      items: ['succeeded'],
    });
    expect(notified(known, answer)).toBeUndefined();
    expect(answeredBy(settled('failed', said('FAILED', late)), said('COMPLETED', early))).toBeUndefined();
  });

  it('of another end is disputed, and keeps what was notified', () => {
    expect(answeredBy(answered(said('RETURNED')), said('COMPLETED'))).toEqual({
      status: 'answered',
      answer: { status: 'RETURNED' },
      items: ['unknown'],
      disputed: now,
    });
  });
});

describe('a message that changes nothing', () => {
  it.each<[string, OperationState, Message, boolean]>([
    ['says another status that is no end', answered(said('COMPLETED', early)), said('PENDING', late), true],
    ['says so without a time', answered(said('COMPLETED', early)), said('PENDING'), true],
    ['says so at the same time', answered(said('COMPLETED', late)), said('PENDING', late), true],
    ['is older', answered(said('COMPLETED', late)), said('PENDING', early), false],
    ['says the same', answered(said('PENDING', early)), said('PENDING', late), false],
    ['is an end', answered(said('PENDING', early)), said('COMPLETED', late), false],
    ['comes where nothing was answered', { status: 'in_flight' }, said('PENDING'), true],
    ['contradicts a person without a time', settled('failed', said('FAILED')), said('COMPLETED'), true],
    ['repeats what a person ruled out', settled('failed', said('COMPLETED')), said('COMPLETED'), true],
    ['agrees with a person', settled('failed', said('COMPLETED')), said('FAILED'), false],
    ['contradicts a person, and is older', settled('failed', said('FAILED', late)), said('COMPLETED', early), false],
  ])('that %s is unheeded: %4$s', (_, current, message, expected) => {
    expect(isIgnoredContradiction(current, message, codes)).toBe(expected);
  });
});
