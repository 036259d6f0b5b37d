import type { z } from 'zod';
import type { AuditAction } from '../../shared/api/audit.ts';
import { emptyBody } from '../../shared/api/fields.ts';
import type { ProblemCode } from '../../shared/checkout/problem-codes.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';

/** The parts of the API, in the order in which the page shows them. */
export const tags = {
  Sessions: 'Checkouts of one order each, which the shopper pays in the form.',
  Orders: 'The orders that the relay knows.',
  Payments: 'Payments that your own server makes, for shops that hold cards or tokens.',
  Operations: 'Operations on payments at the gateway, and payouts.',
  Events: 'Webhooks: delivered, waiting and given up.',
  Audit: 'The audit log, and the log of API requests.',
  Stats: 'Figures of payments.',
  Browser: 'Requests of the form in the shopper’s browser. Your server does not send these.',
  Gateway: 'Notifications from the gateway.',
  Relay: 'The relay itself: its health, and this description.',
} as const;
export type Tag = keyof typeof tags;

/** The access to a route: for API keys with a scope, for the holder of a session's client secret, or public. */
export type Access = KeyAccess | { kind: 'client_secret' } | { kind: 'public' };

/**
 * One of the scopes is enough; without scopes, any key has access. `which` states the scope of a request, if the
 * route's handler checks it.
 */
export type KeyAccess = { kind: 'api_key'; scopes?: readonly Scope[]; which?: string };

/** The access for API keys with a scope. */
export function key<Name extends Scope>(scope: Name) {
  return { kind: 'api_key', scopes: [scope] } as const;
}

/** A sample of a body, valid under its schema. */
export type Example = { name: string; summary: string; value: object };

export type Parameter = {
  name: string;
  in: 'path' | 'query';
  description: string;
  example: string;
};

/** Headers of answers, besides those of every answer. */
type HeaderName = 'X-Operation-Id' | 'Idempotency-Replayed' | 'Location' | 'ETag' | 'Cache-Control' | 'Set-Cookie';

/** The content of an answer: JSON of a schema with an id, another kind of text, or none. */
type Content =
  /** `or` is another media type that a client may request. */
  | { kind: 'json'; schema: z.ZodType; examples: readonly Example[]; or?: string }
  | { kind: 'text'; type: string; examples?: readonly Example[] }
  | { kind: 'none' };

export type Answer = { status: number; description: string; content: Content; headers?: readonly HeaderName[] };

/** An answer in JSON, with samples. */
export function json<Schema extends z.ZodType>(
  status: number,
  description: string,
  schema: Schema,
  examples: readonly Example[],
  more: { or?: string; headers?: readonly HeaderName[] } = {},
) {
  const { or, headers } = more;
  const content = { kind: 'json' as const, schema, examples, ...(or === undefined ? {} : { or }) };
  return { status, description, content, ...(headers === undefined ? {} : { headers }) };
}

/** An answer of another type. */
export function text(status: number, description: string, type: string, headers: readonly HeaderName[] = []): Answer {
  return { status, description, content: { kind: 'text', type }, ...(headers.length > 0 ? { headers } : {}) };
}

type JsonBody = {
  kind: 'json';
  /** One schema, or several: the body must match the one that the route's handler selects. */
  schema: z.ZodType<object> | readonly z.ZodType<object>[];
  examples: readonly Example[];
  isOptional?: true;
  /** It may also have a document's file, in a payment or its order. */
  withFile?: true;
};

type RequestBody = JsonBody | { kind: 'anything'; description: string };

/** The body of a route that needs only its address. It may be absent. */
export const noBody = {
  kind: 'json',
  schema: emptyBody,
  examples: [{ name: 'empty', summary: 'An empty object', value: {} }],
  isOptional: true,
} as const satisfies RequestBody;

/** One route, for the server and for the documents. Texts are the simplest Markdown: `code`, paragraphs. */
export type Route = {
  method: 'get' | 'post' | 'patch';
  /** With its parameters in braces. */
  path: `/${string}`;
  summary: string;
  description: string;
  access: Access;
  /** It accepts an `Idempotency-Key`, as the API or as the form uses it. */
  repeatable?: 'kept_answer' | 'same_attempt';
  /** The action by which the audit log names its requests. */
  audit?: AuditAction;
  /** Its requests are not in the request log. */
  isUnlogged?: true;
  /** The parameters of its path, and of a query without a schema. */
  parameters?: readonly Parameter[];
  /** The schema that reads its query. */
  query?: z.ZodObject;
  body?: RequestBody;
  /** Rules for a body that no schema can express. A body that breaks one is `invalid_request`. */
  rules?: readonly string[];
  answers: readonly Answer[];
  /** Its error codes, besides those that follow from its access, body and method. */
  problems?: readonly ProblemCode[];
};

/** Routes by name: their `operationId`, in the document in camel case. */
export type Routes = Readonly<Record<string, Route>>;

/** A route with its `operationId` and its part of the API. */
export type NamedRoute = Route & { id: string; tag: Tag };

/** The errors of every route before its handler: the request is not HTTP, too long, or late. */
const ofTheWire = ['malformed_request', 'request_timeout', 'expectation_failed', 'headers_too_large'] as const;

/** Every error code of a route, in the order of their statuses. */
export function problemsOf(route: Route): ProblemCode[] {
  const { access, body, repeatable, problems = [] } = route;
  const codes: ProblemCode[] = [...problems, ...ofTheWire, 'method_not_allowed', 'internal'];
  if (access.kind !== 'public') codes.push('unauthorized');
  if (access.kind === 'api_key') codes.push('rate_limited');
  if (access.kind === 'api_key' && access.scopes) codes.push('missing_scope');
  if (body?.kind === 'json') codes.push('invalid_json', 'invalid_request', 'body_too_large', 'unsupported_media_type');
  if (repeatable !== undefined) codes.push('idempotency_key_invalid');
  if (repeatable === 'kept_answer') codes.push('idempotency_key_reused', 'in_progress');
  return [...new Set(codes)];
}

// Rules that several routes share: see `Route.rules`.

/** The operator configures the addresses to which a shopper may return. */
export const RETURN_URL_RULE =
  '`return_url` must be under one of the account’s `return_urls` in the relay’s configuration';

/** The names of all fields with amounts. */
export const DECIMALS_RULE =
  'an amount (`amount`, `item_total`, `shipping`, `handling`, `tax_total`, `insurance`, `shipping_discount`, `discount`, `refund_amount`, `contract_amount`, `payment_amount`, `source_amount`, the `price` of an item, `each` and `total` of a plan) must not have more decimals than its currency (two if that is not known), apart from zeros, and needs a decimal point if its currency has decimals, unless the account’s `amounts` is `lenient` in the relay’s configuration';

/** The currencies that an order can have. */
export const CURRENCY_RULE =
  '`currency` must be one of ISO 4217 that is in use, or of the account’s `currencies` in the relay’s configuration';

/** A free trial, or a check of a card. */
export const ZERO_RULE =
  'an `amount` of zero needs a `subscription` with at least one field, or a `token_flag` other than `0`, and can be paid by card only';

export const BIRTH_DATE_RULE = 'a `birth_date` of the `person` that looks like a date must be a real one';

export const CONTRACT_DATES_RULE =
  'a `contract_start` or `contract_end` of the `subscription` that looks like a date must be a real one, and the end must not be before the start';

/** Paths in the order in which requests are compared with them: a path without parameters comes before one that matches it, too. */
export function inOrder(paths: Iterable<string>): string[] {
  const variable = (path: string): number => path.split('{').length;
  return [...new Set(paths)].toSorted((left, right) => variable(left) - variable(right));
}

/** A route's path in the form of Express, by which logs and metrics name the route. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
