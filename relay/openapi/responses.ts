import type { Problem } from '../../shared/checkout/problem.ts';
import { type ProblemCode, problemCodes, problems } from '../../shared/checkout/problem-codes.ts';
import { operationId, sessionId, transactionId } from '../../shared/samples/ids.ts';
import { type NamedRoute, problemsOf } from '../routes/route.ts';
import type { HeaderObject, ParameterObject, Reference, ResponseObject } from './document-types.ts';
import { whatToDo } from './problems.ts';
import { pascal, refTo } from './schemas/json-schema.ts';

/** The headers of answers that clients read. */
export const headers = {
  'X-Request-Id': {
    description:
      'The id of the request, as in the relay’s log: that of the request’s own header, if it has 8 to 64 letters, digits, `.`, `_` or `-` and is no card number; otherwise a new one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{8,64}$' },
    required: true,
  },
  'Turnpike-Version': {
    description: 'The version of the relay.',
    schema: { type: 'string' },
    required: true,
  },
  'X-Operation-Id': {
    description:
      'The id of the operation, for `GET /v1/operations/{id}`. With a problem of `POST /v1/payments`: the id of the payment’s session.',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the answer to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': { description: 'Seconds to wait before the request is repeated.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'The limit of the API key: `q` requests in `w` seconds. Absent if the key has none.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'How many requests (`r`) the API key may make now, and in how many seconds (`t`) it may make all again.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': { description: 'The required scheme: `Bearer`.', schema: { type: 'string' }, required: true },
  Allow: { description: 'The methods that this address accepts.', schema: { type: 'string' }, required: true },
  Location: { description: 'Where to continue.', schema: { type: 'string' }, required: true },
  ETag: { description: 'For `If-None-Match`.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long the answer may be cached.', schema: { type: 'string' } },
  'Set-Cookie': { description: 'The device’s id, for risk checks alone.', schema: { type: 'string' } },
} as const satisfies Record<string, HeaderObject>;

type AnyHeader = keyof typeof headers;

/** References to these headers, after the headers of every answer. */
export function headerRefs(names: readonly AnyHeader[]): Record<string, Reference> {
  return Object.fromEntries(
    ['X-Request-Id', 'Turnpike-Version', ...names].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` } satisfies Reference,
    ]),
  );
}

/** The request headers that make a POST repeatable. */
export const keyParameters = {
  IdempotencyKey: keyParameter(
    'Makes the request repeatable: the same key with the same body returns the first answer, also a refusal with 400 or 422 (unless that depends on other payments or refunds), and nothing is done twice. A key belongs to your account and this route. Use a new one, such as a UUID, for each new request.',
  ),
  AttemptKey: keyParameter(
    'Identifies this attempt: a request with the same key is the same attempt, and is not sent a second time.',
  ),
};

function keyParameter(description: string): ParameterObject {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description,
    // Bare, or as the quoted string of the IETF draft.
    schema: { type: 'string', maxLength: 257, pattern: '^(?:[!#-\\[\\]-~]{1,255}|"[!#-\\[\\]-~]{1,255}")$' },
    example: '2f1d6c1e-8a43-4f0e-9b57-6f2f3a1c9d24',
  };
}

/** The answers with one error code each, by the code's name. */
export function singleProblems(): Record<string, ResponseObject> {
  return Object.fromEntries(problemCodes.map((code) => [pascal(code), problemResponse([code])]));
}

/** An error answer, and the reference to it if all routes share it. */
type ProblemResponse = { whole: ResponseObject; shared?: Reference };

/** The error answers of a route by status. Codes with the same status share an answer. */
export function problemResponses(route: NamedRoute): Record<string, ProblemResponse> {
  const byStatus = Map.groupBy(problemsOf(route), (code) => problems[code].status);
  const about = route.tag === 'Payments' ? sessionId : operationId;
  return Object.fromEntries(
    [...byStatus]
      .sort(([left], [right]) => left - right)
      .map(([status, codes]): [string, ProblemResponse] => {
        const [only, ...others] = codes;
        const whole = problemResponse(codes, about);
        const isShared = only !== undefined && others.length === 0;
        return [
          String(status),
          isShared ? { whole, shared: { $ref: `#/components/responses/${pascal(only)}` } } : { whole },
        ];
      }),
  );
}

function problemResponse(codes: readonly ProblemCode[], about = operationId): ResponseObject {
  const [first] = codes;
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}. ${whatToDo[code]}`).join('\n\n'),
    headers: headerRefs([...new Set(codes.flatMap((code) => headersOf[code] ?? []))]),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            refTo('Problem'),
            {
              type: 'object',
              properties: {
                code: { enum: [...codes] },
                ...(first ? { status: { const: problems[first].status } } : {}),
              },
            },
          ],
        },
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: problems[code].title, value: problemExample(code, about) }]),
        ),
      },
    },
  };
}

const headersOf: Partial<Record<ProblemCode, AnyHeader[]>> = {
  invalid_request: ['Idempotency-Replayed'],
  batch_too_large: ['Idempotency-Replayed'],
  unauthorized: ['WWW-Authenticate'],
  method_not_allowed: ['Allow'],
  in_progress: ['Retry-After', 'X-Operation-Id'],
  outcome_unknown: ['X-Operation-Id'],
  operation_settled: ['X-Operation-Id'],
  operation_not_unknown: ['X-Operation-Id'],
  request_id_used: ['X-Operation-Id'],
  reference_used: ['X-Operation-Id'],
  refund_exceeds_payment: ['X-Operation-Id'],
  idempotency_key_reused: ['X-Operation-Id'],
  too_many_attempts: ['Retry-After'],
  rate_limited: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  gateway_refused: ['X-Operation-Id', 'Idempotency-Replayed'],
  gateway_unreachable: ['X-Operation-Id'],
  operation_undecided: ['X-Operation-Id'],
  operation_declined: ['X-Operation-Id'],
  operation_not_configured: ['X-Operation-Id'],
  store_unavailable: ['Retry-After'],
};

/** The answer with a code. `about` is the operation or the payment's session, if the answer names one. */
export function problemExample(code: ProblemCode, about = operationId): Problem {
  const { status, title } = problems[code];
  return {
    type: `urn:turnpike:problem:${code}`,
    title,
    status,
    detail: whatToDo[code].replaceAll('`', ''),
    code,
    ...(errorsOf[code] ? { errors: errorsOf[code] } : {}),
    ...(headersOf[code]?.includes('X-Operation-Id') ? { operation_id: about } : {}),
    ...(code === 'operation_undecided' ? { operation_ids: [about] } : {}),
    ...(code === 'several_payments' ? { transaction_ids: [transactionId, SECOND_TRANSACTION] } : {}),
    ...(code === 'operation_declined' ? { result: { code: 'V0006', message: 'The payment was cancelled' } } : {}),
  };
}

const SECOND_TRANSACTION = '20270331101742000017';

const errorsOf: Partial<Record<ProblemCode, Problem['errors']>> = {
  invalid_request: [{ path: 'order.amount', message: 'must be a decimal string such as "129.90"' }],
  batch_too_large: [{ path: 'refund_orders', message: 'has 51 entries; at most 50 are allowed' }],
  reference_used: [{ path: 'references.0', message: `is that of an item of ${operationId}` }],
  currency_differs: [{ path: 'refund_orders.0.currency', message: 'must be BRL' }],
  amount_differs: [{ path: 'cancel_orders.0.amount', message: 'must be 129.90' }],
  transaction_id_form: [{ path: 'refund_orders.0.transaction_id', message: 'must be "T-1" exactly' }],
  refund_exceeds_payment: [{ path: 'refund_orders.0.refund_amount', message: 'must not be more than 79.90' }],
};
