import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../../shared/gateway/query.ts';
import {
  approvedBy,
  begunAt,
  declinedOf,
  HOUR,
  lost,
  MINUTE,
  moment,
  notSent,
  record,
  refused,
  SECOND,
  type Story,
  session,
  story,
  toIssuer,
} from '../../../test/support/payments/sessions.ts';
import type { Outcome } from '../../gateway/outcome.ts';
import { isUnsettled } from '../attempt.ts';
import { provedPayments } from '../order.ts';
import { holdOf } from '../transitions.ts';

const DAYS = 24 * HOUR;

type Step =
  | { do: 'pay'; session: string; method: string; amount: string }
  | { do: 'answer'; attempt: number; outcome: Outcome }
  | { do: 'query'; records: OrderRecord[]; late: boolean }
  | { do: 'fail' | 'notify' | 'abandon' }
  | { do: 'return' | 'expire' | 'hold'; session: string }
  | { do: 'orphan'; attempt: number }
  | { do: 'person'; session: string; paid: string | undefined }
  | { do: 'pass'; ms: number };

const sessionId = fc.constantFrom('cs_1', 'cs_2', 'cs_3');
const transaction = fc.constantFrom('T1', 'T2', 'T3', 'T4');
const records: fc.Arbitrary<OrderRecord> = fc
  .record({
    id: fc.oneof({ weight: 9, arbitrary: transaction }, fc.constant(undefined)),
    status: fc.constantFrom('3000', '4100', '4100', '1000', '1000', '77'),
    amount: fc.constantFrom('10.00', '10.00', '10.00', '20.00', '99.00'),
    date: fc.constantFrom(-400 * DAYS, -30 * HOUR, -HOUR, 0, SECOND, MINUTE, HOUR, 2 * DAYS, 40 * DAYS),
    recurring_id: fc.constantFrom(undefined, undefined, 'R1'),
    isDated: fc.constantFrom(true, true, true, false),
  })
  .map(({ id, status, amount, date, recurring_id, isDated }) =>
    record(id, status, {
      amount,
      date: moment(date),
      ...(recurring_id ? { recurring_id } : {}),
      ...(isDated ? {} : { transaction_date: '' }),
    }),
  );
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  transaction.map((id) => approvedBy(id)),
  transaction.map((id) => approvedBy(id, 'R1')),
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...[lost, lost, refused, notSent, toIssuer, toIssuer],
      ...[declinedOf(), declinedOf('T1'), declinedOf('T2')],
    ),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      session: sessionId,
      method: fc.constantFrom('card', 'PIX', 'PIX'),
      amount: fc.constantFrom('10.00', '10.00', '20.00'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      attempt: fc.nat(5),
      outcome,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('query' as const),
      records: fc.array(records, { maxLength: 3 }),
      late: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('fail' as const, 'notify' as const, 'abandon' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('return' as const, 'expire' as const, 'hold' as const),
      session: sessionId,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('orphan' as const),
      attempt: fc.nat(5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('person' as const),
      session: sessionId,
      paid: fc.option(transaction, { nil: undefined }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(SECOND, 2 * SECOND, 5 * SECOND, 5 * MINUTE, 5 * MINUTE, HOUR, DAYS, 31 * DAYS),
    }),
  },
);
const steps = fc.array(step, { maxLength: 40, size: 'max' });

const newStory = (): Story =>
  story({
    sessions: [session('cs_1'), session('cs_2'), session('cs_3', { terms: { ...session().terms, single: true } })],
  });

function run(of: Story, one: Step): void {
  const { attempts } = of.order();
  const id = 'attempt' in one ? attempts[one.attempt]?.id : undefined;
  switch (one.do) {
    case 'pay':
      if (of.order().hold !== 'free' || of.status(one.session) !== 'open') return;
      if (Date.parse(session().expires_at) <= of.now().getTime()) return;
      of.pay(`at_${attempts.length + 1}`, {
        session_id: one.session,
        method: one.method,
        amount: one.amount,
      });
      return;
    case 'answer':
      if (id) of.answer(id, one.outcome);
      return;
    case 'query':
      of.settle({
        begun: begunAt(one.late ? new Date(of.now().getTime() - 10 * SECOND) : of.now()),
        notices: of.order().notices,
        counted: true,
        records: one.records,
      });
      return;
    case 'fail':
      of.queryFails();
      return;
    case 'notify':
      of.notify();
      return;
    case 'abandon':
      of.abandon();
      return;
    case 'return':
      of.returned(one.session);
      return;
    case 'expire':
      if (Date.parse(session().expires_at) <= of.now().getTime()) of.expire(one.session);
      return;
    case 'hold':
      of.holdPaying(one.session);
      return;
    case 'orphan':
      if (id) of.orphan();
      return;
    case 'person':
      of.person(
        one.paid === undefined ? { outcome: 'not_paid' } : { outcome: 'approved', transaction_id: one.paid },
        one.session,
      );
      return;
    case 'pass':
      of.pass(one.ms);
      return;
  }
}

/** Checks something after each step of many random histories of one order. */
function always(numRuns: number, check: (of: Story, one: Step, before: ReturnType<Story['order']>) => void): void {
  fc.assert(
    fc.property(steps, (all) => {
      const of = newStory();
      for (const one of all) {
        const before = of.order();
        run(of, one);
        check(of, one, before);
      }
    }),
    { includeErrorInReport: true, numRuns },
  );
}

/**
 * What is true after each step. The rules change nothing, so that all of them share the histories, and they are conditions, because a
 * million calls of `expect` take longer than everything else here.
 */
const rules: Record<string, (of: Story, one: Step, before: ReturnType<Story['order']>) => boolean> = {
  'The hold follows from the records.': (of) => of.order().hold === holdOf(of.order()),

  'An approved session stays approved.': (of, _, before) =>
    before.sessions.every(({ id, state }) => state.status !== 'approved' || of.status(id) === 'approved'),

  'A payment is never removed, except a person’s decision.': (of, _, before) => {
    const known = of.order().payments.map(({ transaction_id }) => transaction_id);
    return before.payments.every(({ proof, transaction_id }) => proof === 'person' || known.includes(transaction_id));
  },

  'An order that is held is queried again, or needs a person.': (of, one) => {
    if (one.do === 'notify' || one.do === 'pass') return true;
    const { hold, attempts, next_query_at } = of.order();
    if (hold !== 'held' || attempts.some(({ state }) => state.status === 'in_flight')) return true;
    return next_query_at !== undefined;
  },

  'No session waits for an order that nothing holds.': (of) => {
    const { hold, sessions } = of.order();
    return hold !== 'free' || sessions.every(({ state }) => ['open', 'failed', 'expired'].includes(state.status));
  },

  'A paid order’s session waits only for its own attempt.': (of) => {
    const { hold, sessions, attempts } = of.order();
    if (hold !== 'paid') return true;
    return sessions.every(
      ({ id, state }) =>
        ['approved', 'failed', 'expired'].includes(state.status) ||
        attempts.some((one) => one.session_id === id && isUnsettled(one)),
    );
  },

  'The session of each credited attempt is approved.': (of) => {
    const { payments, attempts } = of.order();
    return payments.every(({ attempt_id }) => {
      const credited = attempts.find(({ id }) => id === attempt_id);
      return credited === undefined || of.status(credited.session_id) === 'approved';
    });
  },

  'Each payment beyond the first is reported once.': (of) => {
    const [first, ...others] = provedPayments(of.order()).map(({ transaction_id }) => transaction_id);
    const seconds = of.events.flatMap(({ transaction_ids }) => transaction_ids?.[1] ?? []);
    if (new Set(seconds).size !== seconds.length || !others.every((other) => seconds.includes(other))) return false;
    // Beside a person's payment, which may never be proved, the only proved one may be reported.
    return (
      first === undefined || of.order().payments.some(({ proof }) => proof === 'person') || !seconds.includes(first)
    );
  },

  'Each approved record of an amount that was sent is a payment.': (of, one, before) => {
    if (one.do !== 'query') return true;
    const { payments, attempts } = of.order();
    const sent = attempts.filter(({ state }) => state.status !== 'not_sent');
    const known = payments.map(({ transaction_id }) => transaction_id);
    return one.records.every(({ transaction_id, payment_status, amount, transaction_date, subscription_result }) => {
      if (payment_status !== '3000' || !transaction_id || subscription_result) return true;
      if (before.decided.some((seen) => seen.transaction_id === transaction_id)) return true;
      if (one.records.filter((other) => other.transaction_id === transaction_id).length > 1) return true;
      if (!['2026', ''].includes(transaction_date?.slice(0, 4) ?? '')) return true;
      return !sent.some((attempt) => attempt.amount === amount) || known.includes(transaction_id);
    });
  },
};

describe('any history of an order', () => {
  it('takes only moves of the table, and keeps every rule', () => {
    always(3000, (of, one, before) => {
      for (const [rule, isKept] of Object.entries(rules)) if (!isKept(of, one, before)) throw new Error(rule);
    });
  });

  it('is freed by a person who says that nothing was paid', () => {
    always(1000, (of) => {
      const { hold, attempts } = of.order();
      if (hold !== 'held' || attempts.some(({ state }) => state.status === 'in_flight')) return;
      expect(of.person({ outcome: 'not_paid' })).toBe(true);
      expect(of.order().hold).toBe('free');
    });
  });

  it('proves no more by a repeated query of the same records', () => {
    always(1000, (of, one) => {
      if (one.do !== 'query') return;
      const before = of.order();
      const reported = of.events.length;
      run(of, one);
      // A third query without a record may end an attempt: that much a repetition counts.
      const { payments, undecided } = of.order();
      expect({ payments, reason: undecided?.reason }).toEqual({
        payments: before.payments,
        reason: before.undecided?.reason,
      });
      expect(
        of.events.slice(reported).filter(({ type }) => type === 'session.approved' || type === 'session.paid_twice'),
      ).toEqual([]);
    });
  });
});
