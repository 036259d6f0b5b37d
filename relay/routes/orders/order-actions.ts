import type { z } from 'zod';
import {
  cancelOrder,
  captureOrder,
  type OrderActionAnswer,
  type OrderActionName,
  orderAction,
  refundOrder,
  reviewOrder,
} from '../../../shared/api/order-action.ts';
import type { ProblemCode } from '../../../shared/checkout/problem-codes.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { operationId } from '../../../shared/samples/ids.ts';
import { refundedPayment } from '../examples/orders.ts';
import { DECIMALS_RULE, json, key, type Routes } from '../route.ts';
import { ORDER_NO } from './orders.ts';

const DECLINED =
  'If the gateway declines it, the answer is `operation_declined` with the gateway’s code and message. If the gateway’s answer is lost, it is `outcome_unknown`: the relay never sends it again, and `GET /v1/operations/{id}` returns the outcome once it is known. Send an `Idempotency-Key`: a repetition after a lost connection then returns the outcome of the first request.';

const WHICH =
  'The relay sends the number, the transaction and the currency of the payment. Name the payment by `transaction_id` if the order has more than one that is not cancelled, rejected or wholly refunded.';

const NO_CARD_RULE = '`reference` and `metadata` must not have a card number';

const common = {
  method: 'post',
  repeatable: 'kept_answer',
  parameters: [ORDER_NO],
} as const;

const problems = [
  ...(['not_found', 'not_paid', 'several_payments', 'transaction_id_form', 'operation_undecided'] as const),
  ...(['operation_declined', 'outcome_unknown', 'operation_settled', 'reference_used'] as const),
  ...(['gateway_refused', 'operation_not_configured', 'gateway_unreachable', 'relay_paused'] as const),
  'store_unavailable',
] as const satisfies ProblemCode[];

const rulesWith = (...rules: readonly string[]) => [...rules, NO_CARD_RULE];

const sample = <Value extends object>(summary: string, value: Value) => [{ name: 'example', summary, value }];

const done = (payment: Partial<OrderActionAnswer['payment']> = {}, more: Partial<OrderActionAnswer> = {}) =>
  json(
    200,
    'The gateway did it: the payment after that.',
    orderAction,
    sample<OrderActionAnswer>('Done', {
      operation_id: operationId,
      outcome: 'succeeded',
      payment: { ...refundedPayment, ...payment },
      ...more,
    }),
    { headers: ['X-Operation-Id'] },
  );

const metadata = { agent: 'maria', ticket: '4711' };
const whole = { captured: '0.00', capturable: '0.00', refunded: '0.00', refundable: '0.00' };

/** Operations on one payment of an order, in one call each. */
export const orderActionRoutes = {
  refundOrder: {
    ...common,
    path: '/v1/orders/{order_no}/refund',
    summary: 'Refund an order',
    description: `Refunds the payment of an order, in part or as far as it can still be refunded.\n\n${WHICH}\n\n${DECLINED}`,
    access: key(operations.refund.route.scope),
    audit: 'refund',
    body: {
      kind: 'json',
      schema: refundOrder,
      examples: sample<z.input<typeof refundOrder>>('A part', {
        ...{ amount: '29.90', reason: 'One cup was broken', reference: 'return-4711', metadata },
      }),
    },
    rules: rulesWith(DECIMALS_RULE),
    answers: [done({}, { metadata })],
    problems: [...problems, 'refund_exceeds_payment', 'payment_cancelled', 'payment_rejected', 'payment_reversed'],
  },
  captureOrder: {
    ...common,
    path: '/v1/orders/{order_no}/capture',
    summary: 'Capture an order',
    description: `Captures the payment of an order that was authorised, in part or as far as it can still be captured.\n\n${WHICH}\n\n${DECLINED}`,
    access: key(operations.capture.route.scope),
    audit: 'capture',
    body: {
      kind: 'json',
      schema: captureOrder,
      examples: sample<z.input<typeof captureOrder>>('A part', { amount: '100.00' }),
    },
    rules: rulesWith(DECIMALS_RULE),
    answers: [
      done({
        ...{ status: 'partially_captured', captured: '100.00', capturable: '29.90' },
        ...{ refunded: '0.00', refundable: '100.00' },
      }),
    ],
    problems: [
      ...problems,
      ...([
        'capture_exceeds_payment',
        'nothing_to_capture',
        'payment_cancelled',
        'payment_rejected',
        'payment_reversed',
        'payment_held',
      ] as const),
    ],
  },
  cancelOrder: {
    ...common,
    path: '/v1/orders/{order_no}/cancel',
    summary: 'Cancel an order',
    description: `Cancels the payment of an order that was authorised. After a capture it cancels the rest.\n\n${WHICH}\n\n${DECLINED}`,
    access: key(operations.cancel.route.scope),
    audit: 'cancel',
    body: { kind: 'json', schema: cancelOrder, examples: sample<z.input<typeof cancelOrder>>('Its payment', {}) },
    rules: rulesWith(),
    answers: [done({ ...whole, status: 'cancelled' })],
    problems: [...problems, 'payment_cancelled'],
  },
  reviewOrder: {
    ...common,
    path: '/v1/orders/{order_no}/review',
    summary: 'Review an order',
    description: `Accepts or rejects the payment of an order that is held for review. The relay sends the first value that \`gateway.profile.codes.review_flag\` lists for the decision.\n\n${WHICH}\n\n${DECLINED}`,
    access: key(operations.review.route.scope),
    audit: 'review',
    body: {
      kind: 'json',
      schema: reviewOrder,
      examples: sample<z.input<typeof reviewOrder>>('Rejected', { decision: 'reject' }),
    },
    rules: rulesWith(),
    answers: [done({ ...whole, status: 'rejected' })],
    problems,
  },
} as const satisfies Routes & Record<`${OrderActionName}Order`, unknown>;
