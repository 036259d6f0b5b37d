import type { z } from 'zod';
import type { SessionAnswer, SessionCreated, SettleSession } from '../../../shared/api/session.ts';
import type { createSession, UpdateSession } from '../../../shared/checkout/session.ts';
import { clientSecret, sessionId, transactionId } from '../../../shared/samples/ids.ts';
import {
  approvedSession,
  exampleAttempt,
  exampleSession,
  pendingSession,
  unknownSession,
  unpaidSession,
} from '../../../shared/samples/sessions.ts';
import type { Example } from '../route.ts';

type Body = z.input<typeof createSession>;

const smallest: Body = { order: { order_no: 'A-1001', currency: 'BRL', amount: '129.90' } };

const full: Body = {
  order: {
    order_no: 'A-1002',
    currency: 'BRL',
    amount: '149.80',
    item_total: '129.90',
    shipping: '19.90',
    items: [{ name: 'Green tea, 250 g', code: 'TEA-250', price: '64.95', quantity: 2 }],
    shopper_email: 'ada@example.com',
    billing_country: 'BR',
  },
  payment_methods: [
    { type: 'card' },
    { type: 'apm', payment_method: 'PIX', label: 'Pix', fields: ['person.document_number'] },
  ],
  installment_options: [{ installments: '3', each: '49.93', total: '149.79' }],
  collect: ['email', 'billing_address'],
  locale: 'pt-BR',
  expires_in: 3600,
  metadata: { cart: '4711', channel: 'app' },
};

const subscription: Body = {
  order: {
    order_no: 'A-1003',
    currency: 'BRL',
    amount: '39.90',
    subscription: {
      contract_name: 'Tea of the month',
      contract_amount: '39.90',
      interval: 'month',
      interval_count: '1',
      billing_cycle: 12,
    },
  },
};

export const createSessionExamples: Example[] = [
  { name: 'smallest', summary: 'The smallest', value: smallest },
  { name: 'full', summary: 'Card and Pix, with fields that the form asks for', value: full },
  { name: 'subscription', summary: 'A contract with twelve charges', value: subscription },
];

const shipped: UpdateSession = {
  order: { amount: '149.80', item_total: '129.90', shipping: '19.90', discount: null },
};

const inParts: UpdateSession = {
  order: { amount: '149.80' },
  installment_options: [{ installments: '2', each: '74.90', total: '149.80' }],
};

export const updateSessionExamples: Example[] = [
  { name: 'shipping', summary: 'Shipping is added, a discount taken away', value: shipped },
  { name: 'installments', summary: 'A new amount, with the plans for it', value: inParts },
];

const created: SessionCreated = {
  id: sessionId,
  client_secret: clientSecret,
  checkout_url: `https://pay.example/checkout/${sessionId}#${clientSecret}`,
  status: 'open',
  expires_at: '2027-04-01T10:15:00.000Z',
  order_no: 'A-1001',
  order: exampleSession.order,
  metadata: exampleSession.metadata,
};

export const sessionCreatedExamples: Example[] = [{ name: 'created', summary: 'A new session', value: created }];

const settled: SessionAnswer = {
  ...exampleSession,
  status: 'approved',
  attempts: [
    {
      ...exampleAttempt,
      status: 'approved',
      settled_at: '2027-04-01T09:20:11.000Z',
      transaction_id: transactionId,
    },
  ],
  transaction_id: transactionId,
  card: '411111******1111',
  settled: {
    by: 'server',
    at: '2027-04-01T09:20:11.000Z',
    note: 'Paid, says the merchant portal.',
    outcome: 'approved',
    transaction_id: 'T202604010001',
    amount: '129.90',
    currency: 'BRL',
  },
};

const paidElsewhere: SessionAnswer = {
  ...exampleSession,
  status: 'failed',
  attempts: [],
  reason: 'order_already_paid',
};

const changed: SessionAnswer = {
  ...exampleSession,
  status: 'open',
  amount: '149.80',
  revision: 2,
  order: { ...exampleSession.order, amount: '149.80', item_total: '129.90', shipping: '19.90' },
  attempts: [],
};

export const changedExamples: Example[] = [
  { name: 'changed', summary: 'The session with its next revision', value: changed },
];

export const sessionExamples: Example[] = [
  { name: 'approved', summary: 'Paid', value: approvedSession },
  { name: 'unknown', summary: 'The outcome is unknown; the relay queries the gateway', value: unknownSession },
  { name: 'pending', summary: 'A voucher is pending', value: pendingSession },
  { name: 'paid_elsewhere', summary: 'The order was paid through another session', value: paidElsewhere },
];

const isPaid: SettleSession = {
  outcome: 'approved',
  transaction_id: transactionId,
  note: 'Paid, says the merchant portal.',
};
const isNotPaid: SettleSession = { outcome: 'not_paid', note: 'The merchant portal has no such order.' };

export const settleSessionExamples: Example[] = [
  { name: 'approved', summary: 'It was paid', value: isPaid },
  { name: 'not_paid', summary: 'It was not paid', value: isNotPaid },
];

export const settledSessionExamples: Example[] = [{ name: 'approved', summary: 'Settled by a person', value: settled }];

export const expiredExamples: Example[] = [
  { name: 'expired', summary: 'It can no longer be paid', value: unpaidSession },
];
