import type { ProblemCode } from '../../../shared/checkout/problem.ts';
import { type Operation, type OperationName, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { samples } from '../examples/operations.ts';
import type { RouteDoc } from '../route.ts';
import { DECIMALS_RULE } from '../rules.ts';
import { answerName, pascal, requestName } from '../schemas/names.ts';
import { limitText, operationTexts } from '../texts/operations.ts';

type Routed = keyof typeof samples;

const READS = 'It changes nothing at the gateway, so the relay asks again by itself when an answer is lost.';

const EFFECTS: Record<NonNullable<Operation['settledBy']>, string> = {
  refund_search:
    'When the answer is lost, this is `outcome_unknown`: it is never sent again by itself. The relay looks for it by refund search until it is known, for a day (`resolve.give_up_ms`); then it waits for a person to settle it. Before it is sent the relay asks which refunds are there already; where the gateway does not tell within half a second, there is no looking for it. A refused refund counts as refunded until a search shows that nothing new is there.',
  manual:
    'When the answer is lost, this is `outcome_unknown`: it is never sent again by itself, and the gateway has no way to look it up. It waits for a person to settle it.',
  query: '',
};

const common: ProblemCode[] = [
  'gateway_refused',
  'operation_not_configured',
  'gateway_unreachable',
  'store_unavailable',
];
const tooLarge: ProblemCode[] = ['batch_too_large'];
const referenced: ProblemCode[] = ['reference_used'];

const REFERENCES_RULE = '`references` must have one entry for each item, none a card number';

/** One route for every operation of the table that has one. */
export const operationRoutes: readonly RouteDoc[] = operationNames.flatMap((name) =>
  isRouted(name) ? [operationRoute(name)] : [],
);

function isRouted(name: OperationName): name is Routed {
  return Object.hasOwn(samples, name);
}

function operationRoute(name: Routed): RouteDoc {
  const operation: Operation = operations[name];
  const { route } = operation;
  if (!route) throw new TypeError(`${name} has an example and no route`);
  const { summary, description } = operationTexts[name];
  const { request, answer } = samples[name];
  const reads = operation.settledBy === undefined;
  return {
    method: 'post',
    path: route.path,
    id: `${pascal(name).charAt(0).toLowerCase()}${pascal(name).slice(1)}`,
    tag: 'Operations',
    summary,
    description: [description, limitText(operation), reads ? READS : EFFECTS[operation.settledBy ?? 'manual']]
      .filter(Boolean)
      .join('\n\n'),
    access: { kind: 'api_key', scopes: [route.scope] },
    repeatable: 'kept_answer',
    body: {
      kind: 'json',
      schema: requestName(name),
      examples: [{ name: 'example', summary: 'Example', value: request }],
    },
    rules: [...rulesFor(name), ...(operation.batch ? [REFERENCES_RULE] : [])],
    answers: [
      {
        status: 200,
        description: 'The gateway’s answer. It tells of each item what became of it.',
        content: {
          kind: 'json',
          schema: answerName(name),
          examples: [{ name: 'example', summary: 'Example', value: answer }],
        },
        ...(reads ? {} : { headers: ['X-Operation-Id'] }),
      },
    ],
    problems: [
      ...common,
      ...(Object.keys(operation.lists).length > 0 ? tooLarge : []),
      ...(operation.batch ? referenced : []),
      ...problemsFor(name, reads),
    ],
  };
}

function rulesFor(name: Routed): readonly string[] {
  switch (name) {
    case 'query':
      return ['`query_end` must not be before `query_start`'];
    case 'refund':
      return [
        'each `refund_amount` must be at most its `amount`',
        '`currency` must be that of the payment',
        DECIMALS_RULE,
      ];
    case 'review':
    case 'capture':
    case 'cancel':
    case 'payout':
      return [DECIMALS_RULE];
    default:
      return [];
  }
}

function problemsFor(name: Routed, reads: boolean): ProblemCode[] {
  if (reads) return ['gateway_answer_unusable', 'gateway_timeout'];
  const effects: ProblemCode[] = ['outcome_unknown', 'operation_settled', 'relay_paused'];
  switch (name) {
    case 'refund':
      return [...effects, 'refund_exceeds_payment'];
    case 'payout':
      return [...effects, 'request_id_used'];
    default:
      return effects;
  }
}
