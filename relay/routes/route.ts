import type { z } from 'zod';
import type { AuditAction } from '../../shared/api/audit.ts';
import { emptyBody } from '../../shared/api/fields.ts';
import type { ProblemCode } from '../../shared/checkout/problem.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';

/** The parts of the API, in the order in which the page shows them. */
export const tags = {
  Sessions: 'Checkouts of one order each, which the shopper pays in the form.',
  Orders: 'What the relay knows of your orders.',
  Payments: 'Payments that your own server makes, for shops that hold cards or tokens.',
  Operations: 'What can be done with payments at the gateway, and payouts.',
  Events: 'Webhooks: what was delivered, what waits, what was given up.',
  Audit: 'Who did what, and what was asked of the API.',
  Stats: 'How payments go.',
  Browser: 'What the form and the shopper’s browser ask for. Your server does not call these.',
  Gateway: 'Where the gateway tells of news.',
  Relay: 'The relay itself: its health, and this description.',
} as const;
export type Tag = keyof typeof tags;

/** Who may call a route: the holder of an API key with a scope, of a session's client secret, or anybody. */
export type Access = KeyAccess | { kind: 'client_secret' } | { kind: 'public' };

/** One of the scopes is enough, and any key without them. Where `which` says when which is, the route's handler checks that. */
export type KeyAccess = { kind: 'api_key'; scopes?: readonly Scope[]; which?: string };

/** The holder of an API key with a scope. */
export function key<Name extends Scope>(scope: Name) {
  return { kind: 'api_key', scopes: [scope] } as const;
}

/** A body that is shown as a sample; it is valid under its schema. */
export type Example = { name: string; summary: string; value: object };

export type Parameter = {
  name: string;
  in: 'path' | 'query';
  description: string;
  example: string;
};

/** Headers of answers, beside those that every answer has. */
type HeaderName = 'X-Operation-Id' | 'Idempotency-Replayed' | 'Location' | 'ETag' | 'Cache-Control' | 'Set-Cookie';

/** What comes back: JSON of a schema with an id, another kind of text, or nothing. */
type Content =
  /** `or` is another media type that may be asked for. */
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
  /** Or those of which it follows one: the route's handler knows which. */
  schema: z.ZodType<object> | readonly z.ZodType<object>[];
  examples: readonly Example[];
  isOptional?: true;
  /** A document's file may stand in it besides, in a payment or its order. */
  withFile?: true;
};

type RequestBody = JsonBody | { kind: 'anything'; description: string };

/** The body of a route that needs nothing but its address. It may be left out. */
export const noBody = {
  kind: 'json',
  schema: emptyBody,
  examples: [{ name: 'empty', summary: 'An empty object', value: {} }],
  isOptional: true,
} as const satisfies RequestBody;

/** All about one route: what serves it and what describes it. Texts are Markdown of the simplest kind: `code`, paragraphs. */
export type Route = {
  method: 'get' | 'post' | 'patch';
  /** With its parameters in braces. */
  path: `/${string}`;
  summary: string;
  description: string;
  access: Access;
  /** It takes an `Idempotency-Key`, as the API or as the form uses it. */
  repeatable?: 'kept_answer' | 'same_attempt';
  /** As what the audit log tells of its requests. */
  audit?: AuditAction;
  /** The request log has none of its requests. */
  isUnlogged?: true;
  /** Those of its path, and of a query that no schema reads. */
  parameters?: readonly Parameter[];
  /** The schema that reads its query. */
  query?: z.ZodObject;
  body?: RequestBody;
  /** What a body must keep to that no schema can say. One that does not is `invalid_request`. */
  rules?: readonly string[];
  answers: readonly Answer[];
  /** Its error codes, beside those that follow from its access, body and method. */
  problems?: readonly ProblemCode[];
};

/** Routes by the name of each: its `operationId`, in the document in camel case. */
export type Routes = Readonly<Record<string, Route>>;

/** A route with its `operationId`, and the part of the API that it belongs to. */
export type NamedRoute = Route & { id: string; tag: Tag };

/** What every route may answer before it sees the request: it is not HTTP, or too long, or late. */
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

// What no schema can say of a body, where several routes share it: see `Route.rules`.

/** The operator sets to which addresses a shopper may be sent back. */
export const RETURN_URL_RULE =
  '`return_url` must be under one of the account’s `return_urls` in the relay’s configuration';

/** Every field that is an amount, by its name. */
export const DECIMALS_RULE =
  'an amount (`amount`, `item_total`, `shipping`, `handling`, `tax_total`, `insurance`, `shipping_discount`, `discount`, `refund_amount`, `contract_amount`, `payment_amount`, `source_amount`, the `price` of an item, `each` and `total` of a plan) must not have more decimals than its currency (two if that is not known), apart from zeros, and needs a decimal point if its currency has decimals, unless the account’s `amounts` is `lenient` in the relay’s configuration';

/** Which currencies an order can have. */
export const CURRENCY_RULE =
  '`currency` must be one of ISO 4217 that is in use, or of the account’s `currencies` in the relay’s configuration';

/** A free trial, or a check of a card. */
export const ZERO_RULE =
  'an `amount` of zero needs a `subscription` with at least one field, or a `token_flag` other than `0`, and can be paid by card only';

export const BIRTH_DATE_RULE = 'a `birth_date` of the `person` that looks like a date must be a real one';

export const CONTRACT_DATES_RULE =
  'a `contract_start` or `contract_end` of the `subscription` that looks like a date must be a real one, and the end must not be before the start';

/** Paths in the order in which a request is held against them: one without parameters comes before one that takes it too. */
export function inOrder(paths: Iterable<string>): string[] {
  const variable = (path: string): number => path.split('{').length;
  return [...new Set(paths)].toSorted((left, right) => variable(left) - variable(right));
}

/** A route's path as Express has it, and as logs and metrics name the route. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
