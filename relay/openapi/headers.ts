import type { HeaderObject, ParameterObject, Reference } from './document-types.ts';

/** Every header that an answer of the relay may have and a caller reads. */
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
  'WWW-Authenticate': { description: 'The required scheme: `Bearer`.', schema: { type: 'string' }, required: true },
  Allow: { description: 'The methods that this address accepts.', schema: { type: 'string' }, required: true },
  Location: { description: 'Where to continue.', schema: { type: 'string' }, required: true },
  ETag: { description: 'For `If-None-Match`.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long the answer may be cached.', schema: { type: 'string' } },
  'Set-Cookie': { description: 'The device’s id, for risk checks alone.', schema: { type: 'string' } },
} as const satisfies Record<string, HeaderObject>;

export type AnyHeader = keyof typeof headers;

/** References to these headers, after those that every answer has. */
export function headerRefs(names: readonly AnyHeader[]): Record<string, Reference> {
  return Object.fromEntries(
    ['X-Request-Id', 'Turnpike-Version', ...names].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` } satisfies Reference,
    ]),
  );
}

// Bare, or as the quoted string of the IETF draft.
const key = { type: 'string', maxLength: 257, pattern: '^(?:[!#-\\[\\]-~]{1,255}|"[!#-\\[\\]-~]{1,255}")$' } as const;

/** The request headers that make a POST repeatable. */
export const keyParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request repeatable: the same key with the same body returns the first answer, also a refusal with 400 or 422 (unless that depends on other payments or refunds), and nothing is done twice. A key belongs to your account and this route. Use a new one, such as a UUID, for each new request.',
    schema: key,
    example: '2f1d6c1e-8a43-4f0e-9b57-6f2f3a1c9d24',
  },
  AttemptKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Identifies this attempt: a request with the same key is the same attempt, and is not sent a second time.',
    schema: key,
    example: '2f1d6c1e-8a43-4f0e-9b57-6f2f3a1c9d24',
  },
} as const satisfies Record<string, ParameterObject>;
