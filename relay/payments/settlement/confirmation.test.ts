import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  MINUTE,
  record,
  rules,
  SECOND,
  type Story,
  session,
  story,
} from '../../../test/support/payments/sessions.ts';
import type { PaymentOperation } from '../ledger/payment-operation.ts';
import type { PaymentRules } from '../order.ts';

const CONFIRM = rules.resolve.confirm_ms;
const ABSENT = rules.resolve.absent_ms;

/** A payment that the gateway's signed answer approved a moment ago. */
function approved(by: PaymentRules = rules): Story {
  const of = story(undefined, by);
  of.pay();
  of.answer('at_1', approvedBy('T1'));
  return of;
}

/** The same, confirmed by a query that showed this record. */
function confirmed(...[code = '3000', change]: Partial<Parameters<typeof shown>>): Story {
  const of = approved();
  of.pass(CONFIRM);
  of.query(shown(code, change));
  return of;
}

const shown = (code: string, change: Parameters<typeof record>[2] = {}) => record('T1', code, change);
const types = (of: Story): string[] => of.payments.map(({ type }) => type);
const operation = (name: PaymentOperation['name'], change: Partial<PaymentOperation> = {}): PaymentOperation => ({
  ...{ transaction_id: 'T1', operation_id: 'op_1', name, amount: '10.00', currency: 'BRL', outcome: 'succeeded' },
  ...change,
});
const needsPerson = (of: Story): boolean => {
  const state = of.state();
  return state.status === 'approved' && state.needs_attention === true;
};

describe('the confirmation of a payment', () => {
  it('is one query a while after the approval', () => {
    const of = approved();
    expect(of.payments).toEqual([]);
    const due = Date.parse(of.order().next_query_at ?? '') - of.now().getTime();
    expect(due).toBeGreaterThanOrEqual(CONFIRM);
    expect(due).toBeLessThan(CONFIRM + 5 * SECOND);
    of.pass(due);
    of.query(shown('3000', { reference_no: 'N1', is3ds: '1', antifraud_provider: 'Shield' }));
    expect(of.payments).toEqual([{ type: 'payment.ready', transaction_id: 'T1', confirmed: true }]);
    expect(of.order().payments[0]?.record).toEqual({
      ...{ payment_status: '3000', reference_no: 'N1', is3ds: '1', antifraud_provider: 'Shield' },
      as_of: of.now().toISOString(),
    });
    expect(Date.parse(of.order().next_query_at ?? '') - of.now().getTime()).toBeGreaterThan(20 * 3600 * SECOND);
  });

  it('keeps no card number of a record', () => {
    const of = confirmed('3000', { decline_reason: 'card 4111111111111111' });
    expect(JSON.stringify(of.order().payments)).not.toContain('4111111111111111');
  });

  it('comes once for an order that a record proves', () => {
    const of = story();
    of.pay();
    of.pass(5 * SECOND);
    of.query(shown('3000'));
    of.pass(MINUTE);
    of.answer('at_1', approvedBy('T1'));
    of.query(shown('3000'));
    expect(of.payments).toEqual([{ type: 'payment.ready', transaction_id: 'T1', confirmed: true }]);
  });

  it('comes at once, unconfirmed, where it is off', () => {
    const of = approved({ ...rules, resolve: { ...rules.resolve, confirm_ms: 0 } });
    expect(of.payments).toEqual([{ type: 'payment.ready', transaction_id: 'T1', confirmed: false }]);
  });

  it('comes at once, unconfirmed, where a person settled the session', () => {
    const of = story();
    of.pay();
    of.orphan();
    of.person({ outcome: 'approved', transaction_id: 'P1' });
    expect(of.payments).toEqual([{ type: 'payment.ready', transaction_id: 'P1', confirmed: false }]);
    of.query(record('T1', '3000'));
    expect(types(of)).toEqual(['payment.ready']);
  });

  it('is given up where no query counts in time', () => {
    const of = approved();
    of.pass(CONFIRM);
    of.queryFails();
    expect(of.payments).toEqual([]);
    of.pass(ABSENT - CONFIRM);
    of.queryFails();
    expect(of.payments).toEqual([{ type: 'payment.ready', transaction_id: 'T1', confirmed: false }]);
    expect(needsPerson(of)).toBe(false);
  });

  it('stays unconfirmed until a record shows the payment', () => {
    const of = approved();
    of.pass(CONFIRM);
    of.query();
    of.pass(ABSENT - CONFIRM);
    of.queryFails();
    expect(types(of)).toEqual(['payment.unconfirmed']);
    expect(needsPerson(of)).toBe(true);
    of.pass(DAY);
    of.query();
    of.query(shown('3000'));
    expect(of.payments.slice(1)).toEqual([{ type: 'payment.ready', transaction_id: 'T1', confirmed: true }]);
    expect(needsPerson(of)).toBe(false);
  });

  it('waits for a record whose code has a meaning', () => {
    const of = approved();
    of.pass(CONFIRM);
    of.query(shown('77'));
    expect(of.payments).toEqual([]);
    of.pass(ABSENT - CONFIRM);
    of.query(shown('77'));
    expect(types(of)).toEqual(['payment.unconfirmed']);
    expect(needsPerson(of)).toBe(true);
    of.query(shown('3000'));
    expect(types(of)).toEqual(['payment.unconfirmed', 'payment.ready']);
  });

  it('is asked for again and again until its record is there', () => {
    const of = approved();
    const end = of.now().getTime() + ABSENT;
    let queries = 0;
    for (; of.now().getTime() < end; queries++) {
      of.pass(Date.parse(of.order().next_query_at ?? '') - of.now().getTime());
      of.query();
    }
    expect(queries).toBeGreaterThan(5);
    expect(types(of)).toEqual(['payment.unconfirmed']);
  });

  it('reports a second payment only as paid twice', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1');
    of.orphan();
    of.query(shown('3000'), record('T2', '3000'));
    of.query(shown('3000'), record('T2', '3000'));
    expect(of.payments.map(({ transaction_id }) => transaction_id)).toEqual(['T1']);
    expect(of.eventTypes()).toContain('session.paid_twice');
  });

  it('does not come for a payment that was cancelled meanwhile', () => {
    const of = approved();
    of.operated('T1', { operations: [operation('cancel')] });
    of.pass(CONFIRM);
    of.query(shown('3000'));
    expect(of.payments).toEqual([]);
  });
});

describe('a payment that our own operation may have ended', () => {
  it.each<[string, PaymentOperation, string]>([
    ['a cancellation', operation('cancel', { outcome: 'unknown' }), '4100'],
    ['a cancellation that its record reports', operation('cancel', { outcome: 'unknown' }), '3904'],
    ['a rejection', operation('review', { flag: 'REJECT', outcome: 'unknown' }), '4100'],
    ['a review', operation('review', { flag: 'ACCEPT', outcome: 'unknown' }), '3000'],
  ])('by %s is reported once it is known', (_, undecided, code) => {
    const of = approved();
    of.operated('T1', { operations: [undecided] });
    of.pass(CONFIRM);
    of.query(shown(code));
    expect(of.payments).toEqual([]);
    of.operated('T1', { operations: [{ ...undecided, outcome: 'failed' }] });
    of.query(shown(code));
    expect(of.payments).toHaveLength(1);
  });

  it('is ready soon after a refusal counts no more', () => {
    const of = approved();
    of.operated('T1', { operations: [operation('cancel', { outcome: 'unknown' })] });
    of.pass(CONFIRM);
    of.query(shown('3000'));
    of.operated('T1', { operations: [operation('cancel', { outcome: 'failed' })] });
    const since = of.now().getTime();
    of.pass(Date.parse(of.order().next_query_at ?? '') - since);
    of.query(shown('3000'));
    expect(types(of)).toEqual(['payment.ready']);
    expect(of.now().getTime() - since).toBeLessThan(ABSENT);
    expect(of.order().payments[0]).not.toHaveProperty('undecided');
  });

  it('by a refund is reported once it is known', () => {
    const of = confirmed();
    const refund = { operation_id: 'op_1', name: 'refund', amount: '10.00', currency: 'BRL' } as const;
    of.operated('T1', { refunds: [{ ...refund, outcome: 'unknown' }], taken: 1000n });
    of.query(shown('3902'));
    of.operated('T1', { refunds: [{ ...refund, outcome: 'succeeded' }], taken: 1000n });
    of.query(shown('3902'));
    expect(types(of)).toEqual(['payment.ready']);
  });
});

describe('a payment that is held for a review', () => {
  const held = { fraud_check_result: [{ check_items: 'address', status: 'REJECT' }] };

  it.each([
    ['its code', '3900', {}],
    ['a fraud check', '3000', held],
  ])('by %s is not ready', (_, code, change) => {
    const of = confirmed(code, change);
    of.query(shown(code, change));
    expect(types(of)).toEqual(['payment.held']);
    expect(needsPerson(of)).toBe(true);
  });

  it('proves the payment of an unpaid order', () => {
    const of = story();
    of.pay();
    of.orphan();
    of.query(shown('3900'));
    expect(of.status()).toBe('approved');
    expect(types(of)).toEqual(['payment.held']);
  });

  it('is ready once our review succeeded', () => {
    const of = confirmed('3900');
    of.operated('T1', { operations: [operation('review', { flag: 'ACCEPT' })] });
    of.query(shown('3900'));
    expect(types(of)).toEqual(['payment.held', 'payment.ready']);
    expect(needsPerson(of)).toBe(false);
  });

  it('is ready once our review succeeded, with the query down', () => {
    const of = confirmed('3900');
    of.operated('T1', { operations: [operation('review', { flag: 'ACCEPT' })] });
    of.queryFails();
    expect(types(of)).toEqual(['payment.held', 'payment.ready']);
  });

  it('is accepted and ready once its record is approved', () => {
    const of = confirmed('3900');
    of.query(shown('3000'));
    expect(types(of)).toEqual(['payment.held', 'payment.accepted', 'payment.ready']);
  });

  it('is never ready once our review rejected it', () => {
    const of = confirmed('3900');
    of.operated('T1', { operations: [operation('review', { flag: 'REJECT' })] });
    of.query(shown('4100'));
    of.query(shown('3000'));
    expect(types(of)).toEqual(['payment.held']);
  });
});

it('needs a person for its hold after its own answer, too', () => {
  const of = story();
  of.pay();
  of.pass(5 * SECOND);
  of.query(shown('3900'));
  expect(needsPerson(of)).toBe(true);
  of.answer('at_1', approvedBy('T1'));
  expect(needsPerson(of)).toBe(true);
});

it('is queried ever more rarely if no query counts', () => {
  const of = confirmed();
  let queries = 0;
  for (const end = of.now().getTime() + 40 * DAY; of.now().getTime() < end; queries++) {
    const { next_query_at } = of.order();
    if (next_query_at === undefined) break;
    of.pass(Math.max(Date.parse(next_query_at) - of.now().getTime(), 0));
    of.queryFails();
  }
  expect(queries).toBeLessThan(150);
  expect(of.order().next_query_at).toBeUndefined();
});

describe('a payment that its record reverses', () => {
  it.each(['4100', '3901'])('by the code %s is reported, and again once it is restored', (code) => {
    const of = confirmed();
    of.pass(DAY);
    of.query(shown(code));
    of.query(shown(code));
    expect(types(of)).toEqual(['payment.ready', 'payment.reversed']);
    expect(of.status()).toBe('approved');
    expect(needsPerson(of)).toBe(true);
    of.query(shown('3000'));
    expect(of.payments.at(-1)).toEqual({
      ...{ type: 'payment.ready', transaction_id: 'T1', confirmed: true, restored: true },
    });
    expect(needsPerson(of)).toBe(false);
  });

  it.each<[string, PaymentOperation]>([
    ['cancellation', operation('cancel')],
    ['cancellation that is in flight', operation('cancel', { outcome: 'unknown' })],
    ['rejection', operation('review', { flag: 'REJECT' })],
  ])('is explained by our %s', (_, done) => {
    const of = confirmed();
    of.operated('T1', { operations: [done] });
    of.query(shown('4100'));
    expect(types(of)).toEqual(['payment.ready']);
  });

  it('is explained by a refund of the whole', () => {
    const of = confirmed();
    of.operated('T1', { taken: 1000n });
    of.query(shown('4100'));
    expect(types(of)).toEqual(['payment.ready']);
  });

  it('is reversed by no query that does not count', () => {
    const of = confirmed();
    of.settle({ ...failedQuery(of), records: [shown('4100')] });
    expect(types(of)).toEqual(['payment.ready']);
  });

  it.each([
    ['3902', 'payment.refunded'],
    ['3903', 'payment.refunded'],
    ['3904', 'payment.cancelled'],
  ])('of the code %s is reported once as %s', (code, type) => {
    const of = confirmed();
    of.query(shown(code));
    of.query(shown(code));
    expect(types(of)).toEqual(['payment.ready', type]);
  });

  it.each([
    ['3000', ['payment.ready']],
    ['3900', ['payment.held']],
    ['3901', ['payment.reversed']],
    ['3902', ['payment.refunded']],
  ])('of the code %s stays so after a code without a meaning, which needs a person', (code, told) => {
    const of = confirmed(code);
    for (const unclear of ['77', '1000']) of.query(shown(unclear));
    expect(types(of)).toEqual(told);
    expect(of.order().payments[0]?.record?.payment_status).toBe(code);
    expect(needsPerson(of)).toBe(true);
    of.query(shown('3000'));
    expect(needsPerson(of)).toBe(false);
  });

  it('is restored as ready after it was held, too', () => {
    const of = confirmed();
    for (const code of ['4100', '3900', '3000']) of.query(shown(code));
    expect(types(of)).toEqual([
      ...['payment.ready', 'payment.reversed', 'payment.held', 'payment.accepted', 'payment.ready'],
    ]);
    expect(of.payments.at(-1)).toMatchObject({ restored: true });
  });

  it('is reversed by the latest of its records', () => {
    const of = confirmed();
    of.query(shown('3000'), shown('3901', { date: new Date(of.now().getTime() + DAY) }));
    expect(types(of)).toEqual(['payment.ready', 'payment.reversed']);
  });
});

function failedQuery(of: Story) {
  const at = of.now().toISOString();
  return {
    ...{ begun: { at, process: 'run_1', monotonic_ms: of.now().getTime() }, notices: 0 },
    ...({ counted: false, fault: 'query_unanswered' } as const),
  };
}
