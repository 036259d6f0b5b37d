import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMinor } from '../../../shared/gateway/amounts.ts';
import { compareOrder } from './compare.ts';
import type {
  Finding,
  GatewayOrder,
  GatewayPayment,
  GatewayRefund,
  RelayOrder,
  RelayPayment,
  RelayRefund,
} from './records.ts';

const now = new Date('2027-03-31T12:00:00Z');
const sentAt = '2027-03-30T12:00:00.000Z';
const date = Date.parse('2027-03-30T12:00:05Z');

/** An order in both books. */
type Pair = { here: RelayOrder; there: GatewayOrder };

const bare = {
  ...{ refunds: [], reversed: new Set<string>(), contracts: new Set<string>() },
  ...{ firstSentAt: sentAt, lastSentAt: sentAt, truncated: false },
};

/** An order that was paid, after some declined tries, and refunded in parts, in both books alike. */
function paid(order_no: string, units: bigint, currency: string, refunds: readonly bigint[], declined: number): Pair {
  const transaction_id = `T-${order_no}`;
  const amount = fromMinor(units, currency);
  const refunded = fromMinor(
    refunds.reduce((sum, one) => sum + one, 0n),
    currency,
  );
  const tried = Array.from({ length: declined }, (_, at) => `D-${at}-${order_no}`);
  return {
    here: {
      ...bare,
      ...{ order_no, status: 'paid', asked: [{ amount, currency }] },
      payments: [{ transaction_id, amount, currency, refunded, status: 'paid', isSettled: false }],
      refunds: refunds.map((one): RelayRefund => {
        return { transaction_id, amount: fromMinor(one, currency), currency, outcome: 'succeeded', at: sentAt };
      }),
    },
    there: {
      payments: [
        ...tried.map((id): GatewayPayment => record(id, amount, currency, 'declined')),
        // A gateway may write more decimals than the relay.
        record(transaction_id, `0${amount}0`.replace(/^0(\d)/, '$1'), currency, 'approved'),
      ],
      refunds: refunds.map((one, at): GatewayRefund => {
        const refund_reference_id = `${transaction_id}-${at}`;
        return {
          transaction_id,
          refund_reference_id,
          amount: fromMinor(one, currency),
          currency,
          meaning: 'succeeded',
        };
      }),
    },
  };
}

function record(transaction_id: string, amount: string, currency: string, meaning: GatewayPayment['meaning']) {
  return { transaction_id, amount, currency, meaning, code: meaning === 'approved' ? '3000' : '4100', date };
}

const books = fc
  .array(
    fc.record({
      units: fc.bigInt({ min: 100n, max: 10n ** 12n }),
      currency: fc.constantFrom('BRL', 'KWD', 'JPY'),
      refunds: fc.array(fc.bigInt({ min: 1n, max: 40n }), { maxLength: 4 }),
      declined: fc.nat(2),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) => all.map((one, at) => paid(`A-${at}`, one.units, one.currency, one.refunds, one.declined)));

/** A change of one side of an order, and the class of difference that it causes; undefined if it cannot be made. */
type Change = {
  to: string;
  of: (pair: Pair) => Partial<{ here: RelayOrder | undefined; there: GatewayOrder }> | undefined;
};

const approved = ({ there }: Pair): GatewayPayment => {
  const found = there.payments.find(({ meaning }) => meaning === 'approved');
  if (!found) throw new Error('the order is paid');
  return found;
};
const withRecord = (pair: Pair, change: Partial<GatewayPayment> | undefined): { there: GatewayOrder } => {
  const others = pair.there.payments.filter(({ meaning }) => meaning !== 'approved');
  const changed = change ? [{ ...approved(pair), ...change }] : [];
  return { there: { ...pair.there, payments: [...others, ...changed] } };
};

const changes: readonly Change[] = [
  { to: 'missing_here', of: () => ({ here: undefined }) },
  { to: 'missing_there', of: (pair) => ({ there: { ...withRecord(pair, undefined).there, refunds: [] } }) },
  { to: 'amount', of: (pair) => withRecord(pair, { amount: '0.99' }) },
  { to: 'currency', of: (pair) => withRecord(pair, { currency: 'EUR' }) },
  { to: 'status', of: (pair) => withRecord(pair, { meaning: 'declined', code: '4100' }) },
  {
    to: 'status',
    of: ({ here }) => (here.refunds.length > 0 ? undefined : { here: { ...here, status: 'unknown', payments: [] } }),
  },
  {
    to: 'second_payment',
    of: (pair) => {
      const again = { ...approved(pair), transaction_id: 'T-again' };
      return { there: { ...pair.there, payments: [...pair.there.payments, again] } };
    },
  },
  {
    to: 'refund_missing_there',
    of: ({ there }) =>
      there.refunds.length === 0 ? undefined : { there: { ...there, refunds: there.refunds.slice(1) } },
  },
  {
    to: 'refund_missing_here',
    of: ({ here }) => {
      const [gone, ...refunds] = here.refunds;
      const [payment] = here.payments;
      if (!gone || !payment) return undefined;
      const sum = refunds.reduce((total, { amount }) => total + Number(amount.replace('.', '')), 0);
      return {
        here: { ...here, refunds, payments: [{ ...payment, refunded: fromMinor(BigInt(sum), payment.currency) }] },
      };
    },
  },
];

const findings = (pairs: readonly { here: RelayOrder | undefined; there: GatewayOrder }[]): Finding[] =>
  pairs.flatMap((pair, at) => compareOrder(`A-${at}`, pair.here, pair.there, now));

describe('books that are compared', () => {
  it('agree where both sides are the same', () => {
    fc.assert(
      fc.property(books, (pairs) => {
        expect(findings(pairs)).toEqual([]);
      }),
    );
  });

  it.each(changes)('differ by exactly what was changed: $to', ({ to, of }) => {
    fc.assert(
      fc.property(books, fc.nat(), (pairs, seed) => {
        const at = seed % pairs.length;
        const pair = pairs[at];
        const change = pair && of(pair);
        fc.pre(change !== undefined);
        const changed = pairs.map((one, place) => (place === at ? { ...one, ...change } : one));
        expect(findings(changed)).toMatchObject([{ class: to, order_no: `A-${at}` }]);
      }),
    );
  });

  it('report nothing recent as a difference', () => {
    fc.assert(
      fc.property(books, fc.constantFrom(...changes.slice(1, 7)), (pairs, { of }) => {
        const [pair] = pairs;
        const change = pair && of(pair);
        fc.pre(pair !== undefined && change?.there !== undefined);
        const here = { ...pair.here, refunds: [], lastSentAt: '2027-03-31T11:59:00.000Z' };
        const there = { payments: change?.there?.payments ?? [], refunds: [] };
        expect(compareOrder('A-0', here, there, now)).toEqual([
          { class: 'unknown', order_no: 'A-0', reason: 'in_flight' },
        ]);
      }),
    );
  });
});

describe('one order', () => {
  const pair = paid('A-0', 12990n, 'BRL', [], 0);
  const { here, there } = pair;
  const unpaid: RelayOrder = { ...here, status: 'unknown', payments: [] };
  const payment: RelayPayment = {
    ...{ transaction_id: 'T-A-0', amount: '129.90', currency: 'BRL', refunded: '0.00' },
    ...{ status: 'paid', isSettled: false },
  };
  const compare = (order: RelayOrder | undefined, books: GatewayOrder): readonly Finding[] =>
    compareOrder('A-0', order, books, now);
  const only = (...payments: GatewayPayment[]): GatewayOrder => ({ payments, refunds: [] });
  const other = (change: Partial<GatewayPayment>): GatewayPayment => ({ ...approved(pair), ...change });

  it('that only the gateway has, declined, is no difference', () => {
    expect(compare(undefined, only(other({ meaning: 'declined' })))).toEqual([]);
    expect(compare({ ...unpaid, status: 'open' }, only(other({ meaning: 'declined' })))).toEqual([]);
  });

  it.each([
    ['undecided_here', unpaid, only()],
    ['undecided_here', unpaid, only(other({ meaning: 'declined' }))],
    ['undecided_there', unpaid, only(other({ meaning: 'pending' }))],
    ['undecided_there', here, only(other({ meaning: 'unlisted' }))],
  ])('is still unknown: %s', (reason, order, books) => {
    expect(compare(order, books)).toEqual([{ class: 'unknown', order_no: 'A-0', reason }]);
  });

  it('unpaid at the relay, with another sum, differs in its amount', () => {
    expect(compare(unpaid, only(other({ amount: '10.00' })))).toMatchObject([{ class: 'amount' }]);
    expect(compare(unpaid, only(other({ currency: 'EUR' })))).toMatchObject([{ class: 'currency' }]);
  });

  it.each<[GatewayPayment['meaning'], RelayPayment['status'], Finding['class'] | undefined, Partial<RelayPayment>?]>([
    ['charged_back', 'paid', 'charged_back'],
    ['charged_back', 'reversed', undefined],
    ['cancelled', 'paid', 'cancelled'],
    ['cancelled', 'cancelled', undefined],
    ['held', 'paid', 'held'],
    ['held', 'held', undefined],
    ['refunded', 'paid', 'refunded'],
    ['refunded', 'partially_refunded', 'refunded', { refunded: '1.00' }],
    ['refunded', 'paid', undefined, { refunded: '129.90' }],
    ['partially_refunded', 'paid', 'refunded'],
    ['partially_refunded', 'partially_refunded', undefined, { refunded: '1.00' }],
    ['declined', 'reversed', undefined],
    ['approved', 'reversed', 'status'],
    ['approved', 'reversed', undefined, { isSettled: true }],
    ['approved', 'held', undefined],
  ])('that is %s there and %s here is %s (case %#)', (meaning, status, kind, more = {}) => {
    const order: RelayOrder = { ...here, status, payments: [{ ...payment, status, ...more }] };
    const found = compare(order, only(other({ meaning }))).filter((one) => one.class !== 'refund_missing_there');
    expect(found.map((one) => one.class)).toEqual(kind ? [kind] : []);
    if (kind) expect(found).toMatchObject([{ here: { status }, there: { status: meaning } }]);
  });

  it('that was cancelled through the relay may be declined', () => {
    const reversed = { ...here, reversed: new Set(['T-A-0']) };
    expect(compare(reversed, only(other({ meaning: 'declined' })))).toEqual([]);
  });

  it('is not paid again by a later charge of its contract', () => {
    const contract = 'R-1';
    const charge = (afterMs: number) => other({ transaction_id: 'T-2', contract, date: date + afterMs });
    const books = (afterMs: number) => only(other({ contract }), charge(afterMs));
    const later = books(30 * 86_400_000);
    expect(compare(here, later)).toMatchObject([{ class: 'missing_here', transaction_id: 'T-2', known: true }]);
    const charged = { ...here, payments: [...here.payments, { ...payment, transaction_id: 'T-2' }] };
    expect(compare(charged, later)).toEqual([]);
    expect(compare(here, books(3_600_000))).toMatchObject([{ class: 'second_payment' }]);
  });

  it('is not paid by an old payment with its number', () => {
    const old = other({ transaction_id: 'T-0', date: date - 30 * 86_400_000 });
    expect(compare(here, only(old, approved(pair)))).toEqual([]);
  });

  it('paid by another transaction misses one on each side', () => {
    const books = only(other({ transaction_id: 'T-2' }));
    expect(compare(here, books).map((one) => one.class)).toEqual(['missing_there', 'missing_here']);
  });

  it('that both sides know as paid twice is no difference', () => {
    const twice = { ...here, payments: [payment, { ...payment, transaction_id: 'T-2' }] };
    expect(compare(twice, only(approved(pair), other({ transaction_id: 'T-2' })))).toEqual([]);
  });

  it('whose refund is unknown at the relay is unknown', () => {
    const refund: RelayRefund = { ...payment, amount: '10.00', outcome: 'unknown', at: sentAt };
    const order = { ...here, refunds: [refund], payments: [{ ...payment, refunded: '10.00' }] };
    const booked: GatewayRefund = { ...refund, refund_reference_id: 'T-01', meaning: 'succeeded' };
    const unknown = [{ class: 'unknown', order_no: 'A-0', reason: 'refund_undecided' }];
    expect(compare(order, there)).toEqual(unknown);
    expect(compare(order, { ...there, refunds: [booked] })).toEqual(unknown);
  });

  it('whose refunds the relay knows only as a sum may agree', () => {
    const order = { ...here, payments: [{ ...payment, refunded: '30.00' }] };
    const booked = (amount: string): GatewayRefund => ({
      ...{ ...payment, amount, refund_reference_id: amount, meaning: 'succeeded' as const },
    });
    expect(compare(order, { ...there, refunds: [booked('10.00'), booked('20.00')] })).toEqual([]);
    expect(compare(order, { ...there, refunds: [booked('10.00')] })).toMatchObject([{ class: 'refund_missing_here' }]);
  });

  it('is unknown when its history is truncated and it has refunds', () => {
    const long = { ...here, truncated: true };
    expect(compare(long, there)).toEqual([]);
    const refunded = { ...long, payments: [{ ...payment, refunded: '10.00' }] };
    expect(compare(refunded, there)).toMatchObject([{ reason: 'too_long' }]);
  });
});
