import { describe, expect, it } from 'vitest';
import {
  attempt,
  HOUR,
  MINUTE,
  moment,
  orderWith,
  record,
  rules,
  SECOND,
} from '../../../test/support/payments/sessions.ts';
import { clockOffsets, isDecided, isSameSum, mayBeOf, readRecords, seenOf } from './records.ts';

const read = (...records: Parameters<typeof readRecords>[1]) => readRecords('A', records, rules);
const one = (...of: Parameters<typeof record>) => {
  const [found] = read(record(...of));
  if (!found) throw new TypeError('no record');
  return found;
};

describe('a record of a query', () => {
  it('is read whole', () => {
    const { date, ...rest } = record('T1', '3000', { recurring_id: 'R1', decline_reason: 'card 4111111111111111' });
    const subscription_result = { recurring_id: 'R1', contract_name: 'Tea' };
    expect(read({ ...rest, ...(date === undefined ? {} : { date }), currency: 'brl', subscription_result })).toEqual([
      {
        meaning: 'approved',
        transaction_id: 'T1',
        payment_status: '3000',
        amount: '10.00',
        currency: 'BRL',
        date: moment(SECOND).getTime(),
        recurring_id: 'R1',
        details: { contract_name: 'Tea' },
        decline_reason: expect.not.stringContaining('4111111111111111'),
        source: expect.objectContaining({ payment_status: '3000' }),
      },
    ]);
  });

  it('may lack all fields except its order_no', () => {
    expect(read({ order_no: 'A' })).toStrictEqual([
      {
        ...{ meaning: 'unlisted', payment_status: '', amount: '', currency: '', details: {}, decline_reason: '' },
        source: { order_no: 'A' },
      },
    ]);
  });

  it.each([
    ['3000', 'T1', 'approved'],
    ['3000', undefined, 'unlisted'],
    ['4100', 'T1', 'declined'],
    ['4100', undefined, 'declined'],
    ['1000', 'T1', 'pending'],
    ['3900', 'T1', 'approved'],
    ['3901', 'T1', 'unlisted'],
    ['77', 'T1', 'unlisted'],
  ])('with the code %s and transaction %s is %s', (code, id, meaning) => {
    expect(one(id, code).meaning).toBe(meaning);
  });

  it('of another order is left out', () => {
    expect(read(record('T1', '3000', { order_no: 'B' }), record('T2', '4100'))).toMatchObject([
      { transaction_id: 'T2' },
    ]);
  });

  it('is sorted by date, undated records first', () => {
    const records = [
      record('T2', '4100', { date: moment(HOUR) }),
      record('T1', '4100', { date: moment(MINUTE) }),
      record('T0', '4100', { transaction_date: '' }),
    ];
    expect(read(...records).map(({ transaction_id }) => transaction_id)).toEqual(['T0', 'T1', 'T2']);
  });
});

describe('several records of one transaction', () => {
  it.each([
    ['3000', '77'],
    ['77', '1000'],
    ['1000', '4100'],
    ['3000', '4100'],
  ])('count by the code %s rather than %s, whichever is later', (more, less) => {
    for (const [first, second] of [
      [more, less],
      [less, more],
    ] as const) {
      const found = read(record('T1', first), record('T1', second, { date: moment(HOUR) }));
      expect(found.map(({ payment_status }) => payment_status)).toEqual([more]);
    }
  });

  it('count as the later one if both have the same meaning', () => {
    const [early, late] = [
      record('T1', '4100', { decline_reason: 'first' }),
      record('T1', '4100', { date: moment(HOUR), decline_reason: 'second' }),
    ];
    expect(read(early, late)).toMatchObject([{ decline_reason: 'second' }]);
    expect(read(late, early)).toMatchObject([{ decline_reason: 'second' }]);
    expect(read(early, { ...early, decline_reason: 'again' })).toMatchObject([{ decline_reason: 'first' }]);
    const undated = { ...early, transaction_date: '', decline_reason: 'undated' };
    expect(read(late, undated)).toMatchObject([{ decline_reason: 'undated' }]);
    expect(read(undated, late)).toMatchObject([{ decline_reason: 'undated' }]);
  });

  it('do not change the order of other records', () => {
    const found = read(record('T1', '4100'), record('T2', '4100'), record('T1', '3000'), record('T3', '1000'));
    expect(found.map(({ transaction_id, meaning }) => [transaction_id, meaning])).toEqual([
      ['T2', 'declined'],
      ['T1', 'approved'],
      ['T3', 'pending'],
    ]);
  });
});

it('records without a transaction_id are all kept', () => {
  expect(read(record(undefined, '77'), record(undefined, '77'))).toHaveLength(2);
});

describe('a record and an attempt', () => {
  it('have one sum by value and currency', () => {
    const sum = { amount: '10.00', currency: 'BRL' };
    expect(isSameSum(sum, { amount: '10', currency: 'BRL' })).toBe(true);
    expect(isSameSum(sum, { amount: '10.01', currency: 'BRL' })).toBe(false);
    expect(isSameSum(sum, { amount: '10.00', currency: 'USD' })).toBe(false);
  });

  it('belong together unless the record is older by fifteen minutes', () => {
    const dated = (ms: number) => one('T1', '4100', { date: moment(ms) });
    expect(mayBeOf(dated(-15 * MINUTE), attempt())).toBe(true);
    expect(mayBeOf(dated(-15 * MINUTE - SECOND), attempt())).toBe(false);
    expect(mayBeOf(one('T1', '4100', { transaction_date: '' }), attempt())).toBe(true);
  });
});

describe('a clock that is wrong', () => {
  const order = orderWith({ attempts: [attempt('at_0'), attempt('at_1', { transaction_id: 'T1' })] });
  const offsets = (...records: Parameters<typeof readRecords>[1]) =>
    clockOffsets(order, read(...records), moment(MINUTE));

  it('is shown by records of our transactions, long before or ahead', () => {
    expect(offsets(record('T1', '4100', { date: moment(-15 * MINUTE) }))).toBe(0);
    expect(offsets(record('T1', '4100', { date: moment(-15 * MINUTE - SECOND) }))).toBe(1);
    expect(offsets(record('T1', '4100', { date: moment(16 * MINUTE) }))).toBe(0);
    expect(offsets(record('T1', '4100', { date: moment(16 * MINUTE + SECOND) }))).toBe(1);
  });

  it('is not shown by other records or undated ones', () => {
    const old = { date: moment(-HOUR) };
    expect(offsets(record('T2', '4100', old), record(undefined, '77', old))).toBe(0);
    expect(offsets(record('T1', '4100', { transaction_date: '' }))).toBe(0);
  });
});

describe('a record that a person decided about', () => {
  const seen = { transaction_id: 'T1', payment_status: '77', amount: '10.00', currency: 'BRL' };
  const isKnown = (decided: typeof seen & { date?: string }, of: Parameters<typeof record>) =>
    isDecided(one(...of), orderWith({ decided: [{ ...seen, transaction_id: 'T9' }, decided] }));

  it('is identified by its content', () => {
    expect(seenOf(one('T1', '77'))).toStrictEqual({ ...seen, date: moment(SECOND).toISOString() });
    expect(seenOf(one(undefined, '77', { transaction_date: '' }))).toStrictEqual({ ...seen, transaction_id: '' });
  });

  it('stays decided while that does not change', () => {
    expect(isKnown(seen, ['T1', '77'])).toBe(true);
    expect(isKnown(seen, ['T1', '77', { amount: '10', date: moment(HOUR) }])).toBe(true);
    expect(isKnown(seen, ['T2', '77'])).toBe(false);
    expect(isKnown(seen, ['T1', '78'])).toBe(false);
    expect(isKnown(seen, ['T1', '77', { amount: '10.01' }])).toBe(false);
    expect(isKnown(seen, ['T1', '77', { currency: 'USD' }])).toBe(false);
  });

  it('without a transaction_id is identified by its date', () => {
    const nameless = { ...seen, transaction_id: '', date: moment(SECOND).toISOString() };
    expect(isKnown(nameless, [undefined, '77'])).toBe(true);
    expect(isKnown(nameless, [undefined, '77', { date: moment(HOUR) }])).toBe(false);
    expect(isKnown(nameless, ['T1', '77'])).toBe(false);
  });
});
