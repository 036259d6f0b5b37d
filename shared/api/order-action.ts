import { z } from 'zod';
import { keptMetadata, metadata } from '../checkout/metadata.ts';
import { positiveShopAmount } from '../gateway/amount-fields.ts';
import { itemFields } from '../gateway/batch.ts';
import { identifier, requiredText, string } from '../gateway/text.ts';
import { orderPayment } from './order-payment.ts';

/** The operations on an order's payment. */
export type OrderActionName = 'refund' | 'capture' | 'cancel' | 'review';

const { transaction_id } = itemFields(positiveShopAmount);

const common = {
  transaction_id: transaction_id
    .optional()
    .describe('The gateway’s id of the payment. Required if the order was paid more than once.'),
  reference: identifier
    .optional()
    .describe(
      'Your own name of the operation, such as an id of your database. The relay does at most one operation of this kind under each name. The name is not sent to the gateway.',
    ),
  metadata: metadata
    .optional()
    .describe(
      'Your own notes, which its outcome, `GET /v1/operations/{id}` and its webhooks have. A card number among them is refused.',
    ),
};

/** `POST /v1/orders/:order_no/refund`, of §2.5 for one payment. */
export const refundOrder = z
  .strictObject({
    amount: positiveShopAmount
      .optional()
      .describe('The amount to refund. Default: the refundable rest of the payment.'),
    reason: requiredText().describe('The reason of the refund. The relay sends it to the gateway.'),
    ...common,
  })
  .meta({ name: 'RefundOrder', description: 'A refund of an order’s payment.' });

/** `POST /v1/orders/:order_no/capture`, of §2.6 for one payment. */
export const captureOrder = z
  .strictObject({
    amount: positiveShopAmount
      .optional()
      .describe('The amount to capture. Default: the capturable rest of the payment.'),
    ...common,
  })
  .meta({ name: 'CaptureOrder', description: 'A capture of an order’s payment.' });

/** `POST /v1/orders/:order_no/cancel`, of §2.6 for one payment. */
export const cancelOrder = z
  .strictObject(common)
  .meta({ name: 'CancelOrder', description: 'A cancellation of an order’s payment.' });

/** `POST /v1/orders/:order_no/review`, of §2.6 for one payment. */
export const reviewOrder = z
  .strictObject({
    decision: z.enum(['accept', 'reject']).describe('Whether to take the payment that is held for review.'),
    ...common,
  })
  .meta({ name: 'ReviewOrder', description: 'A decision about an order’s payment.' });

/** The answer of each of them after the gateway has carried it out. */
export const orderAction = z
  .object({
    operation_id: string.describe('The id of the operation, for `GET /v1/operations/{id}`.'),
    outcome: z.literal('succeeded').describe('Always `succeeded`: another outcome is a problem.'),
    payment: orderPayment.describe('The payment after that, as in `GET /v1/orders/{order_no}`.'),
    metadata: keptMetadata,
  })
  .meta({ name: 'OrderAction', description: 'What the gateway did with a payment, and the payment after that.' });
export type OrderActionAnswer = z.infer<typeof orderAction>;
