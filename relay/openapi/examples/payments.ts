import type { z } from 'zod';
import type { createPayment, PaymentAnswer } from '../../../shared/api/payment.ts';
import { sessionId, transactionId } from '../../../shared/samples/ids.ts';
import type { Example } from '../route.ts';

type Body = z.input<typeof createPayment>;

const order = { order_no: 'A-2001', currency: 'BRL', amount: '129.90' };

const card: Body = {
  ...order,
  // A published test card.
  card: '4111 1111 1111 1111',
  expiration_month: '12',
  expiration_year: '2030',
  security_code: '737',
  first_name: 'Ada',
  last_name: 'Byron',
  shopper_email: 'ada@example.com',
  shopper_ip: '203.0.113.7',
};
const token: Body = { ...order, token_id: 'tok_8f3b2c', shopper_ip: '203.0.113.7' };
const apm: Body = {
  ...order,
  payment_method: 'PIX',
  first_name: 'Ada',
  last_name: 'Byron',
  person: { email: 'ada@example.com' },
};

export const createPaymentExamples: Example[] = [
  { name: 'card', summary: 'With a card that you hold', value: card },
  { name: 'token', summary: 'With a token', value: token },
  { name: 'apm', summary: 'By an alternative method', value: apm },
];

const ids = { id: sessionId, order_no: 'A-2001' };

const answers: Record<PaymentAnswer['status'], PaymentAnswer> = {
  approved: {
    ...ids,
    status: 'approved',
    transaction_id: transactionId,
    card: '411111******1111',
    result: { code: '0000', message: 'Success' },
  },
  declined: {
    ...ids,
    status: 'declined',
    result: { code: '2001', message: 'Insufficient funds' },
    advice: 'contact_bank',
  },
  redirect: {
    ...ids,
    status: 'redirect',
    redirect_url: `https://pay.example/checkout/${sessionId}/issuer?ticket=1806488100000.Jx7TqLk2Vn9wRb4Z`,
  },
  pending: { ...ids, status: 'pending' },
  unknown: { ...ids, status: 'unknown' },
};

export const paymentAnswerExamples: Example[] = [
  { name: 'approved', summary: 'Paid', value: answers.approved },
  { name: 'declined', summary: 'Declined', value: answers.declined },
  { name: 'redirect', summary: 'The shopper must go to the issuer', value: answers.redirect },
  { name: 'pending', summary: 'The gateway waits for the payment', value: answers.pending },
  { name: 'unknown', summary: 'Nobody knows yet; the relay is asking', value: answers.unknown },
];
