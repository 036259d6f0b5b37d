import type { Router } from 'express';
import type { OrderActionAnswer, OrderActionName } from '../../shared/api/order-action.ts';
import type { OrderPaymentAnswer } from '../../shared/api/order-payment.ts';
import type { Metadata } from '../../shared/checkout/metadata.ts';
import { operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError, StoreError } from '../base/errors.ts';
import { paymentAnswers } from '../commit/payment-answer.ts';
import type { Account } from '../config/load.ts';
import { type Context, ownOrder, refundedOf } from '../context/context.ts';
import { jsonReply, type Reply, type Use } from '../http/idempotency/idempotency.ts';
import type { Repeatable } from '../http/idempotency/repeatable-route.ts';
import { amountIn } from '../http/parse.ts';
import { serve } from '../http/serve.ts';
import { itemsOf, outcomeAt, type StoredOperation } from '../payments/operations/operation.ts';
import { orderActionRoutes } from '../routes/orders/order-actions.ts';
import { holdForApproval } from './approval-request.ts';
import { chosenPayment } from './chosen-payment.ts';
import { amountsOf } from './default-amounts.ts';
import type { FieldPath } from './refusal-problem.ts';
import { declined, outcomeElsewhere, outcomeUnknown, problemOf } from './reply.ts';
import { checkNoCards } from './request.ts';
import { operationOf, replyAgain, runOperation } from './run-operation.ts';

/** The fields that all actions share. */
type CommonFields = {
  transaction_id?: string | undefined;
  reference?: string | undefined;
  metadata?: Metadata | undefined;
};

/** The routes of operations on one payment of an order. */
export function serveOrderActions(context: Context): Router {
  const { review_flag } = context.config.gateway.profile.codes;
  return serve(context, orderActionRoutes, {
    refundOrder: action(context, 'refund', ({ amount, reason }, payment) => ({
      ...(amount === undefined ? {} : { refund_amount: requestedAmount(amount, payment) }),
      refund_reason: reason,
    })),
    captureOrder: action(context, 'capture', ({ amount }, payment) =>
      amount === undefined ? {} : { amount: requestedAmount(amount, payment) },
    ),
    cancelOrder: action(context, 'cancel', () => ({})),
    reviewOrder: action(context, 'review', ({ decision }) => {
      const [flag] = review_flag[decision];
      if (flag !== undefined) return { review_flag: flag };
      const setting = `gateway.profile.codes.review_flag.${decision}`;
      throw new ProblemError('operation_not_configured', `${setting} lists no value to send. Nothing was sent.`);
    }),
  });
}

/** @param fieldsOf returns the fields of the item besides its payment; they replace the default amounts */
function action<Body extends CommonFields>(
  context: Context,
  name: OrderActionName,
  fieldsOf: (body: Body, payment: OrderPaymentAnswer) => Message,
): Repeatable<Body> {
  const { list } = operations[name].batch;
  return {
    work: async (body, use, req) => {
      checkNoCards(keptTexts(body));
      const { account } = use;
      const order = await ownOrder(context, account, String(req.params.order_no));
      const payment = await chosenPayment(context, order, body.transaction_id);
      const { transaction_id, currency } = payment;
      const message = {
        [list]: [
          {
            ...{ transaction_id, order_no: order.order_no, currency, ...amountsOf(name, payment) },
            ...fieldsOf(body, payment),
          },
        ],
        ...(body.reference === undefined ? {} : { references: [body.reference] }),
      };
      // The reply contains the payment, which is read after the outcome is written.
      const unanswered: Use = { ...use, answered: () => undefined };
      const extras = { metadata: body.metadata, pathOf };
      const held = await holdForApproval(context, name, message, use, extras);
      if (held) return held;
      const done = await runOperation(context, name, message, unanswered, extras);
      return replyTo(context, account, done);
    },
    lookUp: async (id, account) =>
      replyAgain(context, await operationOf(context, account, id), (operation) => replyTo(context, account, operation)),
  };
}

/** The path in the body of a field of the only item. */
const pathOf: FieldPath = (field) => {
  switch (field) {
    case 'refund_amount':
      return 'amount';
    case 'currency':
      return 'transaction_id';
    default:
      return field;
  }
};

function keptTexts({ reference, metadata = {} }: CommonFields): [path: string, text: string][] {
  return [
    ...(reference === undefined ? [] : [['reference', reference] satisfies [string, string]]),
    // The key of the metadata is not named: it may itself be the refused text.
    ...Object.entries(metadata)
      .flat()
      .map((text): [string, string] => ['metadata', text]),
  ];
}

/** The requested amount. Throws ProblemError if it is no amount of the payment's currency. */
function requestedAmount(given: string, { currency }: OrderPaymentAnswer): string {
  return amountIn(given, currency, 'amount', { mayLift: true });
}

/** The payment after an operation that succeeded. Throws ProblemError for any other outcome. */
async function replyTo(context: Context, account: Account, operation: StoredOperation): Promise<Reply> {
  const { id, state, metadata } = operation;
  if (outcomeAt(state, 0) !== 'succeeded') {
    if (state.status !== 'answered') throw problemOf(operation, state);
    throw state.items[0] === 'failed' ? declined(operation, state.answer) : outcomeUnknown(id);
  }
  const payment = await paymentAfter(context, account, operation);
  const answer: OrderActionAnswer = {
    operation_id: id,
    outcome: 'succeeded',
    payment,
    ...(metadata ? { metadata: { ...metadata } } : {}),
  };
  return jsonReply(200, answer, { 'X-Operation-Id': id });
}

/**
 * The present state of an operation's payment. Throws ProblemError if it cannot be read: the reply must not suggest
 * that nothing was done.
 */
async function paymentAfter(
  context: Context,
  account: Account,
  operation: StoredOperation,
): Promise<OrderPaymentAnswer> {
  const [item] = itemsOf(operation);
  try {
    const order = await context.store.orders.get(account.id, String(item?.order_no));
    const payments = await paymentAnswers(context, order, await refundedOf(context, order));
    const payment = payments.find(({ transaction_id }) => transaction_id === item?.transaction_id);
    if (payment) return payment;
  } catch (error) {
    if (error instanceof StoreError) throw outcomeUnknown(operation.id);
    throw error;
  }
  throw outcomeElsewhere(operation.id);
}
