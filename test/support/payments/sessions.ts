import type { Outcome } from '../../../relay/gateway/outcome.ts';
import { MAX_CLOCK_SKEW_MS, type Moment } from '../../../relay/payments/absence-clock.ts';
import { applyAnswer, orphanAttempt } from '../../../relay/payments/answer.ts';
import type { Attempt, AttemptState } from '../../../relay/payments/attempt.ts';
import { type Histories, historyIn, type PaymentHistory } from '../../../relay/payments/ledger/payment-operation.ts';
import {
  attemptOf,
  emptyOrder,
  type OrderQuery,
  type PaymentRules,
  type StoredOrder,
  sessionOf,
} from '../../../relay/payments/order.ts';
import type { Session, SessionState } from '../../../relay/payments/session.ts';
import { abandonAwaited, expireSession, shopperReturned, startAttempt } from '../../../relay/payments/session-steps.ts';
import { type PersonVerdict, settleByPerson } from '../../../relay/payments/settle-by-person.ts';
import { type PaymentVerdict, settlePayment } from '../../../relay/payments/settle-payment.ts';
import { holdPayingSession } from '../../../relay/payments/settlement/hold.ts';
import { settleOrder } from '../../../relay/payments/settlement/settle-order.ts';
import {
  type ContractEvent,
  type Decision,
  holdOf,
  type OrderEvent,
  type PaymentEvent,
} from '../../../relay/payments/transitions.ts';
import { order as orderTerms } from '../../../shared/checkout/session.ts';
import type { OrderRecord } from '../../../shared/gateway/query.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** When the orders of these tests begin. */
const start = new Date('2026-01-01T12:00:00.000Z');

/** This many milliseconds after the start. */
export const moment = (ms: number): Date => new Date(start.getTime() + ms);

/** That moment, in the only process of these tests. */
export const begunAt = (at: Date): Moment => ({
  at: at.toISOString(),
  process: 'run_1',
  monotonic_ms: at.getTime(),
});

/** Codes: 3000 is approved, 4100 declined, 1000 pending, any other is unlisted. */
export const rules: PaymentRules = {
  codes: {
    ...{ approved: ['3000'], declined: ['4100'], pending: ['1000'], held: ['3900'] },
    ...{ charged_back: ['3901'], refunded: ['3902'], partially_refunded: ['3903'], cancelled: ['3904'] },
  },
  fraudRejected: ['REJECT'],
  rejects: ['REJECT'],
  capture: {},
  authorisationDays: 5,
  timeZone: 'UTC',
  attemptsPerSession: 3,
  orphanedMs: 35_000,
  resolve: {
    ...{ first_ms: SECOND, max_ms: MINUTE, absent_ms: 15 * MINUTE, give_up_ms: DAY, return_ms: MINUTE },
    ...{ confirm_ms: 10 * SECOND, paid_days: [1, 7, 30] },
  },
  returnMs: { BOLETO: 2 * MINUTE },
};

/** An open session of the order A for 10.00 BRL, which ends after a day. */
export function session(id = 'cs_1', change: Partial<Session> = {}): Session {
  return {
    id,
    account: 'demo',
    order_no: 'A',
    created_at: start.toISOString(),
    expires_at: moment(DAY).toISOString(),
    revision: 1,
    version: 1,
    terms: {
      order: orderTerms.parse({ order_no: 'A', currency: 'BRL', amount: '10.00' }),
      methods: [{ type: 'card' }],
      installment_options: [],
      saved_cards: [],
      collect: [],
    },
    state: { status: 'open' },
    ...change,
  };
}

/** An attempt to pay that order by card, begun at the start. */
export function attempt(id = 'at_1', change: Partial<Attempt> = {}): Attempt {
  return {
    id,
    session_id: 'cs_1',
    account: 'demo',
    order_no: 'A',
    method: 'card',
    amount: '10.00',
    currency: 'BRL',
    started_at: start.toISOString(),
    state: { status: 'in_flight' },
    ...change,
  };
}

/** The order A with these properties; its hold follows from them. */
export function orderWith(change: Partial<StoredOrder>): StoredOrder {
  const order = { ...emptyOrder('demo', 'A'), ...change };
  return { ...order, hold: holdOf(order) };
}

/** A query's record of the order A, dated one second after the start. */
export function record(
  transaction_id: string | undefined,
  payment_status: string,
  change: { date?: Date; recurring_id?: string } & Partial<OrderRecord> = {},
): OrderRecord {
  const { date = moment(SECOND), recurring_id, ...more } = change;
  return {
    order_no: 'A',
    transaction_id,
    payment_status,
    amount: '10.00',
    currency: 'BRL',
    transaction_date: date.toISOString().replace(/\D/g, '').slice(0, 14),
    ...(recurring_id ? { subscription_result: { recurring_id } } : {}),
    ...more,
  };
}

export const result = { code: '2001', message: 'no' };

/** An answer without an outcome. */
export const lost: Outcome = { kind: 'unknown', reason: 'timeout', evidence: {} };
export const refused: Outcome = { kind: 'refused', result: { code: 'http_400', message: 'no' }, evidence: {} };
export const notSent: Outcome = { kind: 'not_sent' };
export const toIssuer = { kind: 'redirect', issuer_url: 'https://issuer.example/' } as const satisfies Outcome;

export const approvedBy = (transaction_id: string, recurring_id?: string): Outcome => ({
  kind: 'approved',
  transaction_id,
  result: { code: '0000', message: 'Success' },
  ...(recurring_id ? { recurring_id } : {}),
});

export const declinedOf = (transaction_id?: string): Outcome => ({
  kind: 'declined',
  ...(transaction_id ? { transaction_id } : {}),
  result,
  advice: 'contact_bank',
});

/** The history of one order: a clock, the order, and the events of all decisions about it. */
export function story(change: Partial<StoredOrder> = { sessions: [session()] }, by: PaymentRules = rules) {
  let time = 0;
  let order = orderWith(change);
  const events: OrderEvent[] = [];
  const payments: PaymentEvent[] = [];
  const contracts: ContractEvent[] = [];
  let histories: Histories = new Map();
  const apply = (decision: Decision | undefined): boolean => {
    if (!decision) return false;
    order = { ...decision.order, version: order.version + 1 };
    events.push(...decision.events);
    payments.push(...(decision.payments ?? []));
    contracts.push(...(decision.contracts ?? []));
    return true;
  };
  const now = (): Date => moment(time);
  const story = {
    now,
    order: () => order,
    events,
    /** The payments in the webhooks to the shop. */
    payments,
    /** The contracts in the webhooks to the shop. */
    contracts,
    /** The effects of operations on a payment, for later queries. */
    operated: (id: string, history: Partial<PaymentHistory>) => {
      histories = new Map([...histories, [id, { ...historyIn(histories, id), ...history }]]);
    },
    eventTypes: () => events.map(({ type }) => type),
    state: (id = 'cs_1'): SessionState => sessionOf(order, id).state,
    status: (id = 'cs_1') => sessionOf(order, id).state.status,
    attempt: (id = 'at_1'): AttemptState => attemptOf(order, id).state,
    pass: (ms: number) => {
      time += ms;
    },
    add: (one: Session) => {
      order = { ...order, sessions: [...order.sessions, one] };
    },
    /** Starts an attempt of a session now. */
    pay: (id = 'at_1', of: Partial<Attempt> = {}) => {
      const next = attempt(id, { started_at: now().toISOString(), ...of });
      return apply(startAttempt(order, sessionOf(order, next.session_id), next, by));
    },
    answer: (id: string, outcome: Outcome) => apply(applyAnswer(order, id, outcome, now(), by)),
    /** A counted query that begins now. */
    query: (...records: OrderRecord[]) =>
      story.settle({ begun: begunAt(now()), notices: order.notices, counted: true, records }),
    /** A query that does not count. */
    queryFails: () =>
      story.settle({ begun: begunAt(now()), notices: order.notices, counted: false, fault: 'query_unanswered' }),
    settle: (query: OrderQuery) => apply(settleOrder(order, { histories, ...query }, now(), by)),
    /** This many counted queries over `absent_ms`. */
    absent: (...records: OrderRecord[]) => {
      time += MAX_CLOCK_SKEW_MS;
      for (const share of [0, 0.5, 0.5]) {
        time += by.resolve.absent_ms * share;
        story.query(...records);
      }
    },
    /** A notification arrives, as a store writes it: the order is due. */
    notify: () => {
      const { notices, next_query_at } = order;
      const due = now().toISOString();
      const next = next_query_at !== undefined && next_query_at < due ? next_query_at : due;
      order = { ...order, notices: notices + 1, next_query_at: next };
    },
    returned: (id = 'cs_1') => apply(shopperReturned(order, now(), by, id)),
    /** The relay that sends a payment has stopped long ago. */
    orphan: () => apply(orphanAttempt(order, new Date(now().getTime() + by.orphanedMs), by)),
    abandon: () => {
      const done = abandonAwaited(order, now(), by);
      if (done.kind === 'abandoned') apply(done.decision);
      return done.kind;
    },
    person: (verdict: PersonVerdict, id = 'cs_1') =>
      apply(settleByPerson(order, id, verdict, { by: 'key', at: now().toISOString(), note: 'n' }, now(), by)),
    /** A person decides about a payment. */
    settlePayment: (id: string, outcome: PaymentVerdict) =>
      apply(settlePayment(order, id, outcome, { by: 'key', at: now().toISOString(), note: 'n' }, histories, now(), by)),
    expire: (id = 'cs_1', by?: string) => apply(expireSession(order, id, by)),
    holdPaying: (id = 'cs_1') => apply(holdPayingSession(order, id, now(), by)),
  };
  return story;
}

export type Story = ReturnType<typeof story>;
