import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler, Router } from 'express';
import { z } from 'zod';
import { digitRows } from '../../shared/card-data/digits.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { type FieldError, type Problem, type ProblemCode, problems } from '../../shared/checkout/problem.ts';
import { ProblemError, StoreError } from '../base/errors.ts';
import { failureFields, type Logger } from '../base/log.ts';
import { drained, unreadBody } from './refused-body.ts';
import { countWork } from './work.ts';

/** One request can hold a hundred thousand mistakes; nobody reads as many, and each makes the answer longer. */
const MAX_FIELD_ERRORS = 100;

/** What every answer with a code carries. A store comes back in seconds, where a standby takes over. */
const headersOf: Partial<Record<ProblemCode, Readonly<Record<string, string>>>> = {
  store_unavailable: { 'Retry-After': '2' },
};

/** Checks a body against its schema. Throws ProblemError `invalid_request` that names every field's path. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body, {
    error: ({ code, input }) => (code === 'invalid_type' && input === undefined ? 'is missing' : undefined),
  });
  if (parsed.success) return parsed.data;
  throw new ProblemError('invalid_request', 'Correct the fields that are named.', {
    errors: parsed.error.issues.flatMap(fieldErrors).slice(0, MAX_FIELD_ERRORS),
  });
}

/** `parseBody` of what a shop sends: optional fields that are `""` or `null` count as absent. Throws ProblemError. */
export function parseShopBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  return parseBody(schema, withoutAbsent(schema, body));
}

/**
 * A body without what counts as absent: optional fields that are `""` or `null`, as many programs write what they do not
 * have. What the schema does not know, or must have, stays for it to refuse.
 */
export function withoutAbsent(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion) {
    const option = inner.options.find((one) => z.safeParse(one, withoutAbsent(one, value)).success);
    return option ? withoutAbsent(option, value) : value;
  }
  if (inner instanceof z.ZodArray) {
    return Array.isArray(value) ? value.map((entry) => withoutAbsent(inner.element, entry)) : value;
  }
  return inner instanceof z.ZodObject && isObject(value) && !Array.isArray(value) ? presentIn(inner, value) : value;
}

function presentIn({ shape }: z.ZodObject, value: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(value).flatMap(([name, entry]): [string, unknown][] => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!field) return [[name, entry]];
    if ((entry === null || entry === '') && mayBeAbsent(field)) return [];
    return [[name, withoutAbsent(field, entry)]];
  });
  return Object.fromEntries(entries);
}

/** Not where a field may hold anything: then it may hold nothing, too. */
function mayBeAbsent(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUnknown) return false;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
}

/** What is inside optional fields, and what a transformed value comes in as. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrapped(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema;
}

type Method = 'get' | 'post' | 'patch';

/** Adds a route with its handlers a method; any other method of that path is a 405 that says which are there. */
export function addRoute(router: Router, path: string, handlers: Partial<Record<Method, RequestHandler[]>>): void {
  const route = router.route(path);
  route.all(withoutNul);
  const counted = (handlers: RequestHandler[]): RequestHandler[] => handlers.map((one) => countWork(path, one));
  if (handlers.get) route.get(...counted(handlers.get));
  if (handlers.post) route.post(...counted(handlers.post));
  if (handlers.patch) route.patch(...counted(handlers.patch));
  const allowed = [
    ...(handlers.get ? ['GET', 'HEAD'] : []),
    ...(handlers.post ? ['POST'] : []),
    ...(handlers.patch ? ['PATCH'] : []),
  ].join(', ');
  route.all(() => {
    throw new ProblemError('method_not_allowed', `Use ${allowed}.`, { headers: { Allow: allowed } });
  });
}

/** No id and no token has a NUL, and PostgreSQL takes no text with one: it would look like a store that is down. */
const withoutNul: RequestHandler = (req, _res, next) => {
  const hasNul = Object.values(req.params).some((value) => String(value).includes('\0'));
  next(hasNul ? new ProblemError('not_found', 'Check the address.') : undefined);
};

export const notFound: RequestHandler = () => {
  throw new ProblemError('not_found', 'Check the address and the method.');
};

/** Answers what Express's handlers throw. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    res.locals.problem = answerError(log, res, req.route?.path, error);
  };
}

/**
 * The one place where errors become HTTP answers. Gives the code of the problem that the request at `route` (the pattern of
 * its path) was answered with; undefined where another answer had begun.
 */
function answerError(
  log: Logger,
  res: ServerResponse,
  route: string | undefined,
  error: unknown,
): ProblemCode | undefined {
  const problem = asProblem(error);
  if (problem.status >= 500) {
    const cause = problem.cause === undefined ? {} : failureFields(problem.cause);
    log.error({ route, ...cause, code: problem.code }, 'request failed');
  }
  if (res.headersSent) {
    res.destroy();
    return undefined;
  }
  const { status, headers, body } = problemAnswer(problem);
  const text = JSON.stringify(body);
  const { req } = res;
  const unread = unreadBody(req);
  res.writeHead(status, {
    ...headers,
    ...(unread === 'long' ? { Connection: 'close' } : {}),
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  if (unread === 'none') res.end(text);
  else {
    res.write(text);
    void drained(req).then(() => res.end());
  }
  return problem.code;
}

/** The HTTP answer that tells an error (RFC 9457). */
export function problemAnswer(error: ProblemError): {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Problem;
} {
  const { status, title } = problems[error.code];
  const { code, message, errors, operation_id, session_id } = error;
  return {
    status,
    headers: {
      ...headersOf[code],
      ...error.headers,
      ...(operation_id === undefined ? {} : { 'X-Operation-Id': operation_id }),
    },
    body: {
      type: `urn:turnpike:problem:${code}`,
      title,
      status,
      // What is told of a field may quote it.
      detail: maskText(message),
      code,
      ...(errors.length > 0 ? { errors: errors.map((error) => ({ ...error, message: maskText(error.message) })) } : {}),
      ...(operation_id === undefined ? {} : { operation_id }),
      ...(session_id === undefined ? {} : { session_id }),
    },
  };
}

function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreError) {
    return new ProblemError('store_unavailable', 'Nothing was done. Try again in a moment.', { cause: error });
  }
  if (error instanceof URIError) return new ProblemError('not_found', 'Check the address.');
  return new ProblemError('internal', 'Try again; if it stays, give the operator the X-Request-Id.', { cause: error });
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, MAX_FIELD_ERRORS)
      .map((key) => ({ path: namedPath([...path, key]), message: 'there is no such field' }));
  }
  // The branch that got furthest, or else has the fewest faults, was meant; where none got anywhere, the union says what it wants.
  const branches = issue.code === 'invalid_union' ? issue.errors : [];
  const furthest = branches.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
  if (furthest && depth(furthest) > 0) {
    return furthest.flatMap((inner) => fieldErrors({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  return [{ path: namedPath(path), message: issue.message }];
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

/** Longer than any path of a field that we know. */
const MAX_PATH = 200;

/** More digits than any field's name has. */
const MANY_DIGITS = 7;

/** A path for people. What the caller named may be anything, a card number too: names with many digits are left out. */
function namedPath(path: readonly string[]): string {
  const short = path.map((name) => name.slice(0, MAX_PATH));
  const isKept = (name: string): boolean => digitRows(name).every((digits) => digits.length < MANY_DIGITS);
  const named = short.map((name) => (isKept(name) ? name : '…')).join('.');
  return maskText(named).slice(0, MAX_PATH);
}
