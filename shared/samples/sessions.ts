import type { SessionAnswer } from '../api/session.ts';
import { attemptId, sessionId, time, transactionId } from './ids.ts';

export const exampleAttempt = {
  id: attemptId,
  method: 'card',
  card: '411111******1111',
  amount: '129.90',
  currency: 'BRL',
  started_at: time,
};
const voucher = { id: attemptId, method: 'BOLETO', amount: '129.90', currency: 'BRL', started_at: time };
export const exampleSession = {
  id: sessionId,
  order_no: 'A-1001',
  currency: 'BRL',
  amount: '129.90',
  revision: 1,
  created_at: '2027-03-31T10:12:00.000Z',
  expires_at: '2027-04-01T10:12:00.000Z',
  order: { order_no: 'A-1001', currency: 'BRL', amount: '129.90', custom: 'basket 7' },
  metadata: { cart: '4711', channel: 'app' },
};
const success = { code: '0000', message: 'Success' };

export const approvedSession: SessionAnswer = {
  ...exampleSession,
  status: 'approved',
  attempts: [
    {
      ...exampleAttempt,
      status: 'approved',
      settled_at: '2027-03-31T10:15:02.000Z',
      transaction_id: transactionId,
      result: success,
    },
  ],
  result: success,
  transaction_id: transactionId,
  card: '411111******1111',
  refunded: '29.90',
};

export const unknownSession: SessionAnswer = {
  ...exampleSession,
  status: 'unknown',
  attempts: [
    {
      ...exampleAttempt,
      status: 'unknown',
      reason: 'http_status',
      evidence: { http_status: 502, body: '<html><h1>Bad gateway</h1></html>' },
    },
  ],
  unknown: {
    reason: 'http_status',
    since: '2027-03-31T10:15:30.000Z',
    next_query_at: '2027-03-31T10:15:37.000Z',
    queries: 2,
    needs_attention: false,
    last_query: { at: '2027-03-31T10:15:33.000Z', found: 'absent' },
  },
};

export const pendingSession: SessionAnswer = {
  ...exampleSession,
  status: 'pending',
  attempts: [{ ...voucher, status: 'pending', transaction_id: transactionId }],
  pending: {
    since: '2027-03-31T10:15:30.000Z',
    next_query_at: '2027-03-31T11:15:30.000Z',
    queries: 7,
    needs_attention: false,
    transaction_id: transactionId,
    can_abandon: true,
  },
};

export const unpaidSession: SessionAnswer = { ...exampleSession, status: 'expired', attempts: [] };
