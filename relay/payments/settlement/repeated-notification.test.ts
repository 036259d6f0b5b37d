import { describe, expect, it } from 'vitest';
import {
  attempt,
  HOUR,
  MINUTE,
  moment,
  orderWith,
  record,
  result,
  rules,
} from '../../../test/support/payments/sessions.ts';
import type { Attempt } from '../attempt.ts';
import type { OrderPayment } from '../order.ts';
import { readRecords } from './records.ts';
import { ownTransactions, repeatsOutcome } from './repeated-notification.ts';

const settled_at = moment(MINUTE).toISOString();
const approved = attempt('at_1', { transaction_id: 'T1', settled_at, state: { status: 'approved' } });
const payment: OrderPayment = {
  transaction_id: 'P1',
  amount: '10.00',
  currency: 'BRL',
  proof: 'record',
  date: settled_at,
};

type NotificationNames = Partial<Parameters<typeof repeatsOutcome>[2]>;

/** Whether a notification that came so long after the outcome repeats it. */
const repeats = (
  said: NotificationNames,
  codes: [id: string | undefined, code: string][],
  of: readonly Attempt[] = [approved],
  ms = HOUR,
) =>
  repeatsOutcome(
    orderWith({ attempts: of, payments: [payment] }),
    'cs_1',
    { fields: {}, orders: ['A'], trades: [], ...said },
    readRecords(
      'A',
      codes.map(([id, code]) => record(id, code)),
      rules,
    ),
    moment(MINUTE + ms).toISOString(),
  );

describe('a notification of a payment', () => {
  it('repeats its outcome for an hour', () => {
    expect(repeats({}, [['T1', '3000']])).toBe(true);
    expect(repeats({}, [['T1', '3000']], [approved], HOUR + 1)).toBe(false);
    expect(repeats({ trades: ['T1'] }, [['T1', '3000']])).toBe(true);
  });

  it.each([
    ['4100', 'reversed', true],
    ['4100', undefined, false],
    ['3901', 'reversed', false],
  ] as const)('is reported by an event of its payment: %s, as %s', (code, told, expected) => {
    const known = { ...payment, transaction_id: 'T1', record: { payment_status: '4100', as_of: settled_at } };
    const order = orderWith({ attempts: [approved], payments: [told ? { ...known, told } : known] });
    const said = { fields: { dispute: 'D1' }, orders: ['A'], trades: ['T1'] };
    const records = readRecords('A', [record('T1', code)], rules);
    expect(repeatsOutcome(order, 'cs_1', said, records, moment(30 * HOUR).toISOString())).toBe(expected);
  });

  it('is news where it names something else', () => {
    expect(repeats({ orders: ['A', 'B'] }, [['T1', '3000']])).toBe(false);
    expect(repeats({ trades: ['T2'] }, [['T1', '3000']])).toBe(false);
    expect(repeats({ refund: true }, [['T1', '3000']])).toBe(false);
  });

  it('is news where its query shows something else', () => {
    expect(repeats({}, [['T1', '4100']])).toBe(false);
    expect(
      repeats({}, [
        ['T1', '3000'],
        ['T2', '3000'],
      ]),
    ).toBe(false);
    expect(
      repeats({}, [
        ['T1', '3000'],
        ['P1', '3000'],
        [undefined, '77'],
      ]),
    ).toBe(true);
  });

  it('is no news by a record from before the order’s first attempt', () => {
    const later = { started_at: moment(HOUR).toISOString(), settled_at: moment(HOUR).toISOString() };
    const codes: [string, string][] = [
      ['T1', '3000'],
      ['T2', '3000'],
    ];
    expect(repeats({}, codes, [{ ...approved, ...later }])).toBe(true);
    expect(repeats({}, codes, [attempt('at_0', { state: { status: 'not_sent' } }), { ...approved, ...later }])).toBe(
      true,
    );
    expect(repeats({}, codes, [attempt('at_0', { state: { status: 'approved' } }), { ...approved, ...later }])).toBe(
      false,
    );
  });

  it('without fields is a repetition while no record exists', () => {
    expect(repeats({}, [])).toBe(true);
    expect(repeats({ fields: { amount: '10.00' } }, [])).toBe(false);
  });

  it('repeats each outcome that it names', () => {
    const declined = attempt('at_2', { transaction_id: 'T2', settled_at, state: { status: 'declined', result } });
    const both = { trades: ['T1', 'T2'] };
    const shown: [string, string][] = [
      ['T1', '3000'],
      ['T2', '4100'],
    ];
    expect(repeats(both, shown, [approved, declined])).toBe(true);
    expect(repeats(both, [['T1', '3000']], [approved, declined])).toBe(true);
    expect(repeats({ trades: ['P1'] }, [['P1', '3000']])).toBe(false);
  });

  it('is about the session’s latest attempt where it names none', () => {
    const other = attempt('at_2', { session_id: 'cs_2', transaction_id: 'T2' });
    expect(repeats({}, [['T1', '3000']], [approved, other])).toBe(true);
    const latest = attempt('at_3', { transaction_id: 'T3', settled_at, state: { status: 'declined', result } });
    expect(repeats({}, [['T3', '3000']], [approved, latest])).toBe(false);
    expect(repeats({}, [['T3', '4100']], [approved, latest])).toBe(true);
    expect(repeats({}, [], [attempt('at_1')])).toBe(false);
    expect(repeats({}, [], [])).toBe(false);
  });

  it.each<[Partial<Attempt>, string, boolean]>([
    [{ state: { status: 'pending', since: settled_at } }, '1000', true],
    [{ state: { status: 'pending', since: settled_at } }, '3000', false],
    [{ state: { status: 'in_flight' } }, '3000', false],
    [{ state: { status: 'redirected', issuer_url: 'https://issuer.example/' } }, '1000', false],
    [{ state: { status: 'unknown', reason: 'timeout', evidence: {} } }, '77', false],
    [{ state: { status: 'not_paid', reason: 'absent' } }, '4100', false],
    [{ state: { status: 'refused', result, evidence: {} } }, '4100', false],
    [{ state: { status: 'not_sent' } }, '4100', false],
  ])('after an attempt with %j, shown as %s, repeats it: %s', (change, code, expected) => {
    expect(repeats({}, [['T1', code]], [{ ...approved, ...change }])).toBe(expected);
    expect(repeats({}, [], [{ ...approved, ...change }])).toBe(change.state?.status === 'pending');
  });

  it('counts from the attempt’s start where its end is not known', () => {
    const { settled_at: _, ...open } = approved;
    expect(repeats({}, [['T1', '3000']], [open], HOUR - MINUTE)).toBe(true);
    expect(repeats({}, [['T1', '3000']], [open], HOUR)).toBe(false);
  });
});

it('an order’s own transactions are those of its attempts and payments', () => {
  const order = orderWith({ attempts: [attempt('at_0'), approved], payments: [payment] });
  expect([...ownTransactions(order)]).toEqual(['T1', 'P1']);
});
