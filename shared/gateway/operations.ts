import type { z } from 'zod';
import type { Scope } from '../checkout/scopes.ts';
import { apmPaymentAnswer, apmPaymentRequest } from './apm-payment.ts';
import { directPaymentAnswer, directPaymentRequest } from './direct-payment.ts';
import { payoutAnswer, payoutBody, payoutReply, payoutRequest } from './payout/payout.ts';
import { queryAnswer, queryBody, queryEnvelope, queryRequest } from './query.ts';
import {
  refundAnswer,
  refundBody,
  refundReply,
  refundRequest,
  refundSearchAnswer,
  refundSearchBody,
  refundSearchRequest,
  wholeRefund,
} from './refund.ts';
import * as items from './review-capture-cancel.ts';

/** Whether an answer must be signed, may be signed, or is not checked. */
export type Verify = 'required' | 'if_present' | 'off';

/** Fields whose code is the outcome of one item (§3). */
export type StatusField = 'refund_status' | 'review_status' | 'capture_status' | 'cancel_status';

/** The relay's own route of an operation, for shops' servers. */
type Route = {
  path: `/v1/${string}`;
  scope: Scope;
  body: z.ZodObject;
  /** The gateway's answer, with the fields that the relay adds. */
  answer: z.ZodObject;
};

/** One operation of the gateway, as the relay, the sandbox gateway and the tests use it. */
export type Operation = {
  /** Appended to the gateway's base URL (§4). */
  path: `/v1/${string}`;
  encoding: 'json' | 'form';
  answerFormat: 'xml' | 'json';
  request: z.ZodObject;
  answer: z.ZodObject;
  /** The fields of the answer that must be right before its records are read one by one. Default: `answer`. */
  envelope?: z.ZodObject;
  /** The fields of the relay's route that are lists, each with its maximum number of entries (§8). */
  lists: Readonly<Record<string, number>>;
  verify: Verify;
  /** Whether sending it again is harmless, so that the relay may repeat it. */
  resend: boolean;
  /** How an unknown outcome is settled; undefined for an operation that only reads. */
  settledBy?: 'query' | 'refund_search' | 'manual';
  route?: Route;
  /**
   * The list of a batch's items, which its answer has, too; the schema of an item with all fields; and the status field
   * of each result (§2.7).
   */
  batch?: { list: string; item: z.ZodObject; status: StatusField };
  /** The filters that a request must have: those in the profile (§4.6), or any of its lists. */
  needsFilter?: 'profile' | 'any_list';
};

/** The common parts of most operations that change something. */
const change = {
  encoding: 'json',
  answerFormat: 'json',
  lists: {},
  verify: 'required',
  resend: false,
  settledBy: 'manual',
} as const;

/** The common parts of both payments, and of both operations that only read. */
const payment = { ...change, path: '/v1/authorise', answerFormat: 'xml', settledBy: 'query' } as const;
const read = { encoding: 'form', answerFormat: 'json', resend: true } as const;

/** Every operation of the gateway (§4). */
export const operations = {
  direct_payment: { ...payment, request: directPaymentRequest, answer: directPaymentAnswer },
  apm_payment: { ...payment, request: apmPaymentRequest, answer: apmPaymentAnswer, verify: 'if_present' },
  query: {
    ...read,
    path: '/v1/retrievalTrans',
    request: queryRequest,
    answer: queryAnswer,
    envelope: queryEnvelope,
    lists: { orders: 100, trades: 100 },
    verify: 'if_present',
    route: { path: '/v1/query', scope: 'query', body: queryBody, answer: queryAnswer },
    needsFilter: 'profile',
  },
  refund: {
    ...change,
    path: '/v1/refund',
    request: refundRequest,
    answer: refundAnswer,
    lists: { refund_orders: 50 },
    batch: { list: 'refund_orders', item: wholeRefund, status: 'refund_status' },
    settledBy: 'refund_search',
    route: { path: '/v1/refund', scope: 'refund', body: refundBody, answer: refundReply },
  },
  refund_search: {
    ...read,
    path: '/v1/retrievalRefund',
    request: refundSearchRequest,
    answer: refundSearchAnswer,
    lists: { refund_orders: 100, refund_references: 100, merchant_refunds: 100 },
    verify: 'required',
    route: { path: '/v1/refund/search', scope: 'refund', body: refundSearchBody, answer: refundSearchAnswer },
    needsFilter: 'any_list',
  },
  review: {
    ...change,
    path: '/v1/review',
    request: items.reviewRequest,
    answer: items.reviewAnswer,
    lists: { review_orders: 100 },
    batch: { list: 'review_orders', item: items.wholeReview, status: 'review_status' },
    route: { path: '/v1/review', scope: 'review', body: items.reviewBody, answer: items.reviewReply },
  },
  capture: {
    ...change,
    path: '/v1/capture',
    request: items.captureRequest,
    answer: items.captureAnswer,
    lists: { capture_orders: 50 },
    batch: { list: 'capture_orders', item: items.wholeCapture, status: 'capture_status' },
    route: { path: '/v1/capture', scope: 'capture', body: items.captureBody, answer: items.captureReply },
  },
  cancel: {
    ...change,
    path: '/v1/cancel',
    request: items.cancelRequest,
    answer: items.cancelAnswer,
    lists: { cancel_orders: 50 },
    batch: { list: 'cancel_orders', item: items.wholeCancel, status: 'cancel_status' },
    route: { path: '/v1/cancel', scope: 'cancel', body: items.cancelBody, answer: items.cancelReply },
  },
  subscription_cancel: {
    ...change,
    path: '/v1/cancelsubscription',
    request: items.subscriptionCancelRequest,
    answer: items.subscriptionCancelAnswer,
    route: {
      path: '/v1/subscription/cancel',
      scope: 'subscription',
      body: items.subscriptionCancelBody,
      answer: items.subscriptionCancelReply,
    },
  },
  payout: {
    ...change,
    path: '/v1/payout',
    request: payoutRequest,
    answer: payoutAnswer,
    verify: 'if_present',
    route: { path: '/v1/payout', scope: 'payout', body: payoutBody, answer: payoutReply },
  },
} satisfies Record<string, Operation>;

/** The operations' names in the profile, in metrics and in code. */
export type OperationName = keyof typeof operations;

/** The names, in the order of the table. */
export const operationNames = Object.keys(operations).filter((name): name is OperationName =>
  Object.hasOwn(operations, name),
);

/** The names of operations with a route. */
export type RoutedName = {
  [Name in OperationName]: (typeof operations)[Name] extends { route: object } ? Name : never;
}[OperationName];

/** The names of operations with a route, in the order of the table. */
export const routedNames: readonly RoutedName[] = operationNames.filter((name): name is RoutedName =>
  Object.hasOwn(operations[name], 'route'),
);

/** The names of operations with a route that change something at the gateway. The relay stores their outcomes. */
export type EffectName = {
  [Name in RoutedName]: (typeof operations)[Name] extends { settledBy: string } ? Name : never;
}[RoutedName];

/** True for an operation whose outcome the relay stores. */
export function isEffect(name: OperationName): name is EffectName {
  const { route, settledBy }: Operation = operations[name];
  return route !== undefined && settledBy !== undefined;
}

/** The names of these operations, in the order of the table. */
export const effectNames: readonly EffectName[] = operationNames.filter(isEffect);
