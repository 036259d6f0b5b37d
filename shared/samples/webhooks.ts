import type { OperationAnswer } from '../api/operation.ts';
import type { OrderPaymentAnswer, PaymentOperationAnswer } from '../api/order-payment.ts';
import type { EventType, WebhookData } from '../api/webhook.ts';
import { operationId, sessionId, time, transactionId } from './ids.ts';
import { foundOperation, payoutAnswer, payoutBody, unknownOperation } from './operations.ts';
import { approvedSession, pendingSession, unknownSession, unpaidSession } from './sessions.ts';

const { refunded: _, ...paid } = approvedSession;
const [attempt] = approvedSession.attempts;
const payout: OperationAnswer = {
  id: operationId,
  operation: 'payout',
  status: 'answered',
  created_at: time,
  by: 'server',
  request: { ...payoutBody },
  answer: { ...payoutAnswer },
  items: ['unknown'],
};

const readyPayment: OrderPaymentAnswer = {
  ...{ transaction_id: transactionId, amount: '129.90', currency: 'BRL', session_id: sessionId },
  ...(attempt ? { attempt_id: attempt.id } : {}),
  ...{ proof: 'answer', status: 'paid', method: 'card', card: '411111******1111' },
  ...{ order_no: 'A-1001', origin: 'checkout', paid_at: time, credited: true },
  ...{ captured: '0.00', capturable: '129.90', refunded: '0.00', refund_undecided: '0.00', refundable: '129.90' },
  gateway: { payment_status: '3000', reference_no: '8801', as_of: '2027-03-31T10:15:11.000Z' },
  operations: [],
};

const { gateway: __, ...withoutRecord } = readyPayment;

const { attempt_id: ___, session_id: ____, card: _____, ...ofNoSession } = readyPayment;

/** A later charge of a contract. */
export const renewal: OrderPaymentAnswer = {
  ...{
    ...ofNoSession,
    transaction_id: '20270430101500000044',
    amount: '49.90',
    capturable: '49.90',
    refundable: '49.90',
  },
  ...{ proof: 'record', order_no: 'A-1001-R2', origin: 'renewal', recurring_id: 'REC-30417', credited: false },
  paid_at: '2027-04-30T10:15:00.000Z',
  gateway: { payment_status: '3000', reference_no: '8844', as_of: '2027-04-30T10:15:02.000Z' },
};

/** A payment after an operation on it. */
const operated = (operation: PaymentOperationAnswer, change: Partial<OrderPaymentAnswer>) => ({
  order_no: 'A-1001',
  payment: { ...readyPayment, ...change, operations: [operation] },
  operation_id: operation.operation_id,
});

const done = (operation: PaymentOperationAnswer['operation'], amount = '129.90'): PaymentOperationAnswer => ({
  ...{ operation_id: operationId, operation, amount, outcome: 'succeeded' },
});

const nothingLeft = { capturable: '0.00', refundable: '0.00' };

/** `data` of one webhook of each type. */
export const webhookSamples: { [Type in EventType]: WebhookData[Type] } = {
  'session.approved': paid,
  'session.declined': {
    ...unpaidSession,
    status: 'open',
    attempts: attempt
      ? [{ ...attempt, status: 'declined', result: { code: '2001', message: 'Insufficient funds' } }]
      : [],
    reason: 'declined',
  },
  'session.redirected': {
    ...unpaidSession,
    status: 'redirected',
    attempts: attempt ? [{ ...attempt, status: 'redirected' }] : [],
  },
  'session.pending': pendingSession,
  'session.unknown': unknownSession,
  'session.failed': { ...unpaidSession, status: 'failed', reason: 'order_already_paid' },
  'session.expired': { ...unpaidSession, status: 'expired' },
  'session.paid_twice': {
    ...paid,
    paid_twice: [transactionId, '20270331104107000077'],
    transaction_ids: [transactionId, '20270331104107000077'],
  },
  'saved_card.removed': {
    ...{ ...unpaidSession, status: 'open', attempts: [] },
    saved_card: {
      ...{ token_id: 'tok_8f3b2c', brand: 'Visa', last4: '1111' },
      ...{ expiration_month: '12', expiration_year: '2030' },
    },
  },
  'payment.ready': { order_no: 'A-1001', payment: readyPayment, confirmed: true },
  'payment.held': {
    order_no: 'A-1001',
    payment: {
      ...{ ...readyPayment, status: 'held', capturable: '0.00' },
      gateway: {
        ...{ payment_status: '3000', antifraud_provider: 'Shield', as_of: '2027-03-31T10:15:11.000Z' },
        fraud_check_result: [{ check_items: 'address', status: 'REJECT' }],
      },
    },
  },
  'payment.accepted': operated(done('review'), {}),
  'payment.rejected': operated(done('review'), { status: 'rejected', ...nothingLeft }),
  'payment.captured': operated(done('capture'), { captured: '129.90', capturable: '0.00' }),
  'payment.cancelled': operated(done('cancel'), { status: 'cancelled', ...nothingLeft }),
  'payment.refunded': operated(done('refund', '29.90'), {
    ...{ status: 'partially_refunded', refunded: '29.90', refundable: '100.00' },
  }),
  'payment.reversed': { order_no: 'A-1001', payment: { ...readyPayment, status: 'reversed', ...nothingLeft } },
  'payment.unconfirmed': { order_no: 'A-1001', payment: withoutRecord },
  'subscription.charged': {
    ...{ recurring_id: 'REC-30417', contract_name: 'Tea club', order_no: 'A-1001-R2', failures: 0 },
    payment: renewal,
  },
  'subscription.charge_failed': {
    ...{ recurring_id: 'REC-30417', contract_name: 'Tea club', order_no: 'A-1001-R3', failures: 1 },
    ...{ transaction_id: '20270531101500000045', amount: '49.90', currency: 'BRL', date: '2027-05-31T10:15:00.000Z' },
    result: { code: '4100', message: 'Insufficient funds' },
  },
  'notification.received': {
    kind: 'payment',
    session_id: sessionId,
    verified: true,
    fields: { order_no: 'A-1001', transaction_id: transactionId, refund_reference_id: `${transactionId}-01` },
    records: [
      {
        ...{ order_no: 'A-1001', transaction_id: transactionId, currency: 'BRL', amount: '129.90' },
        payment_status: '3000',
      },
    ],
  },
  'operation.completed': {
    id: operationId,
    name: 'refund',
    by: 'server',
    status: 'answered',
    created_at: time,
    settled_at: '2027-03-31T10:15:01.000Z',
    items: [
      {
        ...{ transaction_id: transactionId, order_no: 'A-1001', currency: 'BRL', amount: '129.90' },
        ...{ refund_amount: '29.90', status: 'succeeded', reference: 'refund-2041' },
      },
    ],
  },
  'operation.unknown': unknownOperation,
  'operation.settled': foundOperation,
  'payout.updated': { ...payout, items: ['succeeded'], settled_at: '2027-03-31T10:40:00.000Z' },
  'payout.notified': {
    ...payout,
    verified: false,
    notification: {
      ...{ sha256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c', bytes: 412 },
      request_id: payoutBody.request_id,
    },
  },
};
