import type { ProblemCode } from '../../shared/checkout/problem-codes.ts';
import { END_OF_CONTRACT } from '../../shared/gateway/end-of-contract.ts';
import { isEffect, type Operation, operations, type RoutedName, routedNames } from '../../shared/gateway/operations.ts';
import { operationId, transactionId } from '../../shared/samples/ids.ts';
import { payoutAnswer, payoutBody } from '../../shared/samples/operations.ts';
import { DECIMALS_RULE, type Example, json, key, type Route } from './route.ts';

const READS = 'It changes nothing at the gateway, so the relay repeats it by itself if the gateway’s answer is lost.';

const EFFECTS: Record<NonNullable<Operation['settledBy']>, string> = {
  refund_search:
    'If the gateway’s answer is lost, the relay answers `outcome_unknown`, and never sends the refund again. It searches for it until the outcome is known, for a day (`resolve.give_up_ms`); after that, a person must settle it. Before the relay sends a refund, it queries the existing refunds of the payment; if the gateway does not answer within `resolve.search_ms`, the relay cannot search for the new one. A refused refund counts as refunded until searches show no new refund. Where an earlier refund of the payment was refused, or counts as not made, another one is sent only if the gateway tells that the earlier one is not there.',
  manual:
    'If the gateway’s answer is lost, the relay answers `outcome_unknown`, and never sends the request again. The gateway has no query for it: a person must settle it.',
  query: '',
};

const READ_PROBLEMS = ['gateway_answer_unusable', 'gateway_timeout'] as const;
const EFFECT_PROBLEMS = ['outcome_unknown', 'operation_settled', 'relay_paused'] as const;

/** The error codes of refusals of each operation on payments. */
const PAYMENT_PROBLEMS = ['transaction_id_form', 'currency_differs', 'operation_undecided'] as const;

const PAYMENT_CURRENCY_RULE = '`currency` must be that of the payment';

const LEFT_OUT_RULE =
  'an item of a payment that the relay does not know must have its `currency`, its `amount` and, for a refund, its `refund_amount`; a refund with an `amount` must have a `refund_amount`';

const LEFT_OUT =
  'Of a payment that the relay knows, an item needs only its `transaction_id` and, for a review, its `review_flag`: the relay fills in `order_no`, `currency`, and the amounts if it has none: all that can still be refunded or captured, or the amount of the payment.';

const REFERENCES_RULE = '`references` must have one entry for each item, and no card number';

/**
 * The parts of a route that the operation table does not have: its text, its samples, and its own rules and problems.
 */
type Described = Pick<Route, 'summary' | 'description' | 'rules'> & {
  problems?: readonly ProblemCode[];
  request: object;
  answer: object;
};

/** The maximum number of entries of a request, from the operation table (§8). */
function limitText({ lists, needsFilter }: Pick<Operation, 'lists' | 'needsFilter'>): string {
  const names = Object.keys(lists).map((list) => `\`${list}\``);
  const [limit] = Object.values(lists);
  if (limit === undefined) return '';
  const together = names.length > 1 ? ' together' : '';
  const filter = needsFilter === undefined ? '' : ' At least one filter must be given.';
  return `At most ${limit} entries in ${names.join(', ')}${together}. The relay refuses a larger request as a whole (\`batch_too_large\`).${filter}`;
}

const identity = { merchant_id: '100001', account_id: '200001' };
const signature = '5f1c3c0c8a1f4f0b9c35e1a4c1d7e2f6a8b9c0d1e2f3a4b5c6d7e8f90a1b2c3d';
const accepted = { ...identity, return_status: '1', return_message: 'OK', encryption_data: signature };
const item = { transaction_id: transactionId, order_no: 'A-1001', currency: 'BRL', amount: '129.90' };
const refund = { ...item, refund_amount: '50.00', refund_reason: 'One cup was broken' };
const done = { refund_status: '1', refund_reference: '', refund_reference_id: `${transactionId}-01` };

const descriptions: Record<RoutedName, Described> = {
  query: {
    summary: 'Query payments',
    description:
      'Queries the gateway for payments by your order numbers, by transaction ids, or by a period. The answer for a period can have up to 64 MiB, about 50,000 payments. A long answer is not stored under an `Idempotency-Key`: a repetition queries the gateway again. The gateway answers only addresses that it has registered.',
    rules: ['`query_end` must not be before `query_start`'],
    request: { orders: ['A-1001'] },
    answer: {
      ...accepted,
      orders_list: [
        {
          ...item,
          payment_status: '3000',
          query_result: '1',
          transaction_date: '20270331101501',
          shopper_email: 'ada@example.com',
        },
      ],
    },
  },
  refund: {
    summary: 'Refund payments',
    description:
      'Refunds one or more payments, fully or in part. `amount` is the amount of the payment, `refund_amount` the amount to refund. Equal refunds in one request are allowed. The relay refuses refunds that, together with those that it knows, exceed the payment.',
    rules: ['each `refund_amount` must be at most its `amount`', PAYMENT_CURRENCY_RULE, DECIMALS_RULE],
    problems: [
      ...PAYMENT_PROBLEMS,
      'refund_exceeds_payment',
      'payment_cancelled',
      'payment_rejected',
      'payment_reversed',
    ],
    request: { refund_orders: [refund], references: ['refund-2041'] },
    answer: {
      ...accepted,
      operation_id: operationId,
      refund_orders: [{ ...refund, ...done, refund_message: 'V0000:OK', outcome: 'succeeded' }],
    },
  },
  refund_search: {
    summary: 'Search refunds',
    description: 'Searches for refunds at the gateway, by order, by the gateway’s reference or by your own.',
    request: { refund_orders: ['A-1001'] },
    answer: {
      ...accepted,
      refund_orders: [
        { ...refund, ...done, payment_status: '3000', refund_date: '20270401090000', refund_processing_date: '' },
      ],
    },
  },
  review: {
    summary: 'Decide on held payments',
    description: 'Accepts or rejects payments that are held for review. The gateway’s operator defines the flags.',
    rules: [DECIMALS_RULE],
    problems: PAYMENT_PROBLEMS,
    request: { review_orders: [{ ...item, review_flag: 'ACCEPT' }] },
    answer: {
      ...accepted,
      operation_id: operationId,
      review_orders: [{ ...item, review_flag: 'ACCEPT', review_status: '1', error_message: '', outcome: 'succeeded' }],
    },
  },
  capture: {
    summary: 'Capture payments',
    description:
      'Captures payments that were authorised, fully or in parts. The relay refuses captures that, together with those that it knows, exceed the payment, and those of a payment that is cancelled, rejected or captured automatically (`gateway.profile.capture`).',
    rules: [PAYMENT_CURRENCY_RULE, DECIMALS_RULE],
    problems: [
      ...PAYMENT_PROBLEMS,
      'capture_exceeds_payment',
      'nothing_to_capture',
      'payment_cancelled',
      'payment_rejected',
      'payment_reversed',
      'payment_held',
    ],
    request: { capture_orders: [item] },
    answer: {
      ...accepted,
      operation_id: operationId,
      capture_orders: [{ ...item, capture_status: '1', error_message: '', outcome: 'succeeded' }],
    },
  },
  cancel: {
    summary: 'Cancel payments',
    description:
      'Cancels payments that were authorised. After a capture it cancels the rest. The relay refuses it while a refund or a capture of the payment is in progress or of unknown outcome.',
    rules: ['`amount` must be that of the payment', PAYMENT_CURRENCY_RULE, DECIMALS_RULE],
    problems: [...PAYMENT_PROBLEMS, 'amount_differs', 'payment_cancelled'],
    request: { cancel_orders: [item] },
    answer: {
      ...accepted,
      operation_id: operationId,
      cancel_orders: [{ ...item, cancel_status: '1', error_message: '', outcome: 'succeeded' }],
    },
  },
  subscription_cancel: {
    summary: 'End a subscription',
    description: `Ends a contract at once. ${END_OF_CONTRACT}`,
    request: { recurring_id: 'REC-30417', contract_name: 'Tea of the month' },
    answer: {
      ...identity,
      operation_id: operationId,
      recurring_id: 'REC-30417',
      contract_name: 'Tea of the month',
      cancel_status: '1',
      error_message: '',
      outcome: 'succeeded',
      encryption_data: signature,
    },
  },
  payout: {
    summary: 'Make a payout',
    description:
      'Sends money to a beneficiary. Send `beneficiary` or `beneficiary_id`, and an amount with its currency: `payment_amount` is the amount that arrives, `source_amount` the amount that you pay. `request_id` identifies this payout; the relay refuses a second payout with it.',
    rules: [DECIMALS_RULE],
    problems: ['request_id_used'],
    request: payoutBody,
    answer: {
      ...identity,
      operation_id: operationId,
      ...payoutAnswer,
      outcome: 'succeeded',
      encryption_data: signature,
    },
  },
};

/** One route for every operation of the table that has one. */
export const operationRoutes = Object.fromEntries(routedNames.map((name) => [name, operationRoute(name)]));

function operationRoute(name: RoutedName) {
  const { path, scope, body, answer }: NonNullable<Operation['route']> = operations[name].route;
  const { settledBy, lists, batch }: Operation = operations[name];
  const { summary, description, rules = [], problems = [], ...samples } = descriptions[name];
  const sample = (value: object): Example[] => [{ name: 'example', summary: 'Example', value }];
  const repeated = settledBy === undefined ? READS : EFFECTS[settledBy];
  return {
    method: 'post',
    path,
    summary,
    description: [description, batch ? LEFT_OUT : '', limitText(operations[name]), repeated]
      .filter(Boolean)
      .join('\n\n'),
    access: key(scope),
    repeatable: 'kept_answer',
    ...(isEffect(name) ? { audit: name } : {}),
    body: { kind: 'json', schema: body, examples: sample(samples.request) },
    rules: [...rules, ...(batch ? [LEFT_OUT_RULE, REFERENCES_RULE] : [])],
    answers: [
      json(
        200,
        'The gateway’s answer with the result of each item, and what the relay makes of it.',
        answer,
        sample(samples.answer),
        {
          ...(settledBy === undefined ? {} : { headers: ['X-Operation-Id'] }),
        },
      ),
    ],
    problems: [
      'gateway_refused',
      'operation_not_configured',
      'gateway_unreachable',
      'store_unavailable',
      ...(Object.keys(lists).length > 0 ? (['batch_too_large'] as const) : []),
      ...(batch ? (['reference_used'] as const) : []),
      ...(settledBy === undefined ? READ_PROBLEMS : EFFECT_PROBLEMS),
      ...problems,
    ],
  } as const satisfies Route;
}
