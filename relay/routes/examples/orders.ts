import type { OrderDetail, OrderList, OrderSummary } from '../../../shared/api/order.ts';
import type { OrderNoteAnswer } from '../../../shared/api/order-note.ts';
import type { OrderPaymentAnswer, PaymentList, SettlePayment } from '../../../shared/api/order-payment.ts';
import { attemptId, eventId, operationId, sessionId, time, transactionId } from '../../../shared/samples/ids.ts';
import { approvedSession, unknownSession } from '../../../shared/samples/sessions.ts';
import type { Example } from '../route.ts';

const payment = {
  transaction_id: transactionId,
  amount: '129.90',
  currency: 'BRL',
  session_id: sessionId,
  attempt_id: attemptId,
  proof: 'answer',
} as const;

/** An order that was paid, in one line. */
export const paidSummary: OrderSummary = {
  order_no: 'A-1001',
  status: 'paid',
  created_at: '2027-03-31T10:12:00.000Z',
  amount: '129.90',
  currency: 'BRL',
  payment_method: 'card',
  card: '411111******1111',
  transaction_id: transactionId,
  session_id: sessionId,
  session_status: 'approved',
  needs_attention: false,
  refunded: '29.90',
  refund_undecided: '0.00',
  captured: '0.00',
  refundable: '100.00',
  shopper_email: 'a•••@example.com',
};

const open: OrderSummary = {
  order_no: 'A-1002',
  status: 'open',
  created_at: '2027-03-31T10:14:00.000Z',
  amount: '149.80',
  currency: 'BRL',
  session_id: 'cs_B4nXs7Kd1QzVr8TyWm2LcGpJf6Hu9EaR',
  session_status: 'open',
  needs_attention: false,
  refunded: '0.00',
  refund_undecided: '0.00',
  captured: '0.00',
  refundable: '0.00',
};

const page: OrderList = { orders: [open, paidSummary], next: '1806487920000-41' };

export const orderListExamples: Example[] = [{ name: 'page', summary: 'A page with a next page', value: page }];

/** A payment that was refunded in part. */
export const refundedPayment: OrderPaymentAnswer = {
  ...payment,
  status: 'partially_refunded',
  method: 'card',
  card: '411111******1111',
  paid_at: '2027-03-31T10:15:01.000Z',
  credited: true,
  captured: '0.00',
  capturable: '129.90',
  refunded: '29.90',
  refund_undecided: '0.00',
  refundable: '100.00',
  order_no: 'A-1001',
  origin: 'checkout',
  operations: [{ operation_id: operationId, operation: 'refund', amount: '29.90', outcome: 'succeeded' }],
};

/** A note on an order. */
export const note: OrderNoteAnswer = {
  id: 'nt_mz4k1q2aR7sVb9Xc3LnWtKpQe5Yd8HgFu',
  at: '2027-04-01T09:20:00.000Z',
  by: 'person:Ada Byron',
  note: 'The shopper writes that one cup was broken.',
};

export const noteExamples: Example[] = [{ name: 'note', summary: 'A note', value: { note: note.note } }];

const payments: PaymentList = { payments: [refundedPayment], next: '1806487920000-41' };

export const paymentListExamples: Example[] = [{ name: 'page', summary: 'A page with a next page', value: payments }];

const confirmed: SettlePayment = { outcome: 'confirmed', note: 'Accepted in the gateway’s portal' };
const reversed: SettlePayment = { outcome: 'reversed', note: 'Chargeback letter 4711 of the bank' };

export const settlePaymentExamples: Example[] = [
  { name: 'confirmed', summary: 'The gateway has the payment', value: confirmed },
  { name: 'reversed', summary: 'The money is gone', value: reversed },
];

/** A payment that a person confirmed. */
export const settledPayment: OrderPaymentAnswer = {
  ...refundedPayment,
  status: 'paid',
  refunded: '0.00',
  refundable: '129.90',
  settled: { by: 'support', at: '2027-03-31T11:00:00.000Z', ...confirmed },
  operations: [],
};

const refunded: OrderDetail = {
  order_no: 'A-1001',
  status: 'paid',
  last_query: { at: '2027-03-31T10:16:00.000Z', counted: true },
  sessions: [approvedSession],
  created_at: paidSummary.created_at,
  amount: '129.90',
  currency: 'BRL',
  needs_attention: false,
  payments: [refundedPayment],
  captured: '0.00',
  refunded: '29.90',
  refund_undecided: '0.00',
  refundable: '100.00',
  timeline: [
    { type: 'session', at: paidSummary.created_at, session_id: sessionId },
    ...approvedSession.attempts.map((attempt) => ({
      type: 'attempt' as const,
      at: time,
      session_id: sessionId,
      attempt,
    })),
    {
      type: 'webhook',
      at: '2027-03-31T10:15:02.000Z',
      id: eventId,
      event: 'session.approved',
      subject: sessionId,
      delivery: { status: 'delivered', tries: 1, delivered_at: '2027-03-31T10:15:02.120Z' },
    },
    { type: 'query', at: '2027-03-31T10:16:00.000Z', counted: true },
    { type: 'note', ...note },
    {
      type: 'operation',
      at: '2027-04-02T08:30:00.000Z',
      id: operationId,
      operation: 'refund',
      status: 'answered',
      by: 'server',
      settled_at: '2027-04-02T08:30:01.000Z',
      items: [
        {
          outcome: 'succeeded',
          reference: 'return-4711',
          request: {
            transaction_id: transactionId,
            order_no: 'A-1001',
            currency: 'BRL',
            amount: '129.90',
            refund_amount: '29.90',
          },
        },
      ],
    },
    {
      type: 'webhook',
      at: '2027-04-02T08:30:01.000Z',
      id: 'msg_C8pWm3Jx6RtYs1KvZn4LdGqHf7Bu0EaT',
      event: 'operation.completed',
      subject: operationId,
      delivery: {
        status: 'acknowledged',
        tries: 38,
        failed_at: '2027-04-05T08:30:05.000Z',
        reason: 'http_503',
        acknowledged_at: '2027-04-05T09:00:00.000Z',
        by: 'support',
      },
    },
  ],
};

const unknown: OrderDetail = {
  order_no: 'A-1001',
  status: 'unknown',
  created_at: paidSummary.created_at,
  amount: '129.90',
  currency: 'BRL',
  needs_attention: false,
  payments: [],
  captured: '0.00',
  refunded: '0.00',
  refund_undecided: '0.00',
  refundable: '0.00',
  last_query: { at: '2027-03-31T10:15:33.000Z', counted: false, fault: 'timeout' },
  next_query_at: '2027-03-31T10:15:37.000Z',
  sessions: [unknownSession],
  timeline: [
    { type: 'session', at: paidSummary.created_at, session_id: sessionId },
    ...unknownSession.attempts.map((attempt) => ({
      type: 'attempt' as const,
      at: time,
      session_id: sessionId,
      attempt,
    })),
    { type: 'query', at: '2027-03-31T10:15:33.000Z', counted: false, fault: 'timeout' },
    { type: 'next_query', at: '2027-03-31T10:15:37.000Z' },
  ],
};

export const orderExamples: Example[] = [
  { name: 'refunded', summary: 'Paid, and refunded in part', value: refunded },
  { name: 'unknown', summary: 'The outcome is unknown: the gateway did not answer', value: unknown },
];

const { timeline: _timeline, ...withoutTimeline } = refunded;

export const reconciledExamples: Example[] = [
  ...orderExamples,
  { name: 'without_timeline', summary: 'Requested with the scope query alone', value: withoutTimeline },
];
