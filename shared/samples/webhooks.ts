import type { OperationAnswer } from '../api/operation.ts';
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
  'notification.received': {
    kind: 'payment',
    session_id: sessionId,
    verified: true,
    fields: { order_no: 'A-1001-R2', transaction_id: '20270430000042', payment_status: '3000' },
    records: [
      {
        ...{ order_no: 'A-1001-R2', transaction_id: '20270430000042', currency: 'BRL', amount: '49.90' },
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
