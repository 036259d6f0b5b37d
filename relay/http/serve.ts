import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { MAX_FILE_TEXT } from '../../shared/gateway/apm-payment.ts';
import { ProblemError } from '../base/errors.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { allRoutes } from '../routes/all.ts';
import { expressPath, inOrder, type Route, type Routes } from '../routes/route.ts';
import { keyGuard, type Payer, payerOf, principalIn } from './access.ts';
import { watchRefusal } from './audit.ts';
import { idempotent, type Repeatable } from './idempotency/repeatable-route.ts';
import { readBodyIfAny, readJsonBody } from './json-body.ts';
import { requestWatch } from './keys/request-log.ts';
import { parseBody, parseShopBody } from './parse.ts';
import { countHandler } from './running-handlers.ts';

/** A request to a route, as its handler gets it. */
type RouteRequest<Served extends Route> = {
  req: Request;
  res: Response;
  params: Readonly<Record<ParameterOf<Served['path']>, string>>;
  query: QueryOf<Served>;
  body: BodyOf<Served>;
  /** The account of its API key. */
  account: Served['access'] extends { kind: 'api_key' } ? Account : unknown;
  /** The holder of its client secret. */
  payer: Served['access'] extends { kind: 'client_secret' } ? Payer : unknown;
};

type ParameterOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never;
type QueryOf<Served> = Served extends { query: infer Query extends z.ZodType } ? z.output<Query> : unknown;
type BodyOf<Served> = Served extends { body: { schema: infer Body } } ? OutputOf<Body> : unknown;
type OutputOf<Body> = Body extends z.ZodType
  ? z.output<Body>
  : Body extends readonly z.ZodType[]
    ? z.output<Body[number]>
    : never;

/** Returns the JSON to send, which must not be cached; undefined if the handler has answered. */
type Answering<Served extends Route> = [JsonOf<Served['answers'][number]>] extends [never]
  ? (request: RouteRequest<Served>) => void
  : (request: RouteRequest<Served>) => Answered<JsonOf<Served['answers'][number]>>;
type Answered<Json> = Promise<Json | undefined> | Json | undefined;
type JsonOf<Answer> = Answer extends { content: { schema: infer Schema extends z.ZodType } } ? z.output<Schema> : never;

/** The handler of a route. `read` reads a body that the schema alone does not define. */
type HandlerOf<Served extends Route> = Served extends { repeatable: 'kept_answer' }
  ? RepeatableRoute<BodyOf<Served> & object>
  : Answering<Served> | { read: (body: unknown, account?: Account) => BodyOf<Served>; answer: Answering<Served> };

type RepeatableRoute<Body extends object> = Repeatable<Body> & {
  read?: (body: unknown, account: Account) => Body;
  /** Checks a request before its body is read. Throws ProblemError. */
  check?: (req: Request, res: Response) => Promise<void>;
  /** The scope of keys, if it is not the path alone. Throws ProblemError. */
  keyPath?: (path: string, req: Request) => string;
  /** The orders that a refused body names, for the audit log. */
  ordersIn?: (body: unknown) => readonly string[];
};

type AnyHandler = HandlerOf<Route> | RepeatableRoute<object>;

/** Creates the router of declared routes, each with the handler of its name. */
export function serve<Declared extends Routes>(
  context: Context,
  routes: Declared,
  handlers: { [Name in keyof Declared]: HandlerOf<Declared[Name]> },
): Router;
export function serve(context: Context, routes: Routes, handlers: Readonly<Record<string, AnyHandler>>): Router {
  const declared = Object.entries(routes);
  // Addresses outside the API may be registered with a gateway in other letters, or with a slash at the end.
  const isApi = declared.every(([, { path }]) => path.startsWith('/v1/'));
  const router = Router({ caseSensitive: isApi, strict: isApi });
  for (const path of inOrder(declared.map(([, route]) => route.path))) {
    const answering: Handlers = {};
    for (const [name, route] of declared.filter(([, route]) => route.path === path)) {
      const handler = handlers[name];
      if (!handler) throw new TypeError(`${name} has no handler`);
      answering[route.method] = [
        'work' in handler ? repeating(context, route, handler) : answerer(context, route, handler),
      ];
    }
    const elsewhere = allRoutes.filter((one) => one.path === path && !answering[one.method]);
    addRoute(
      router,
      expressPath(path),
      answering,
      elsewhere.map(({ method }) => method),
    );
  }
  return router;
}

function repeating(context: Context, route: Route, handler: RepeatableRoute<object>): RequestHandler {
  const admit = admission(context, route);
  const answer = idempotent(context, {
    read: reader(route),
    ...handler,
    path: (req) => {
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => String(req.params[name]));
      return handler.keyPath?.(path, req) ?? path;
    },
  });
  return async (req, res) => {
    if (route.audit) watchRefusal(context, route.audit, [req, res], handler.ordersIn);
    await admit(req, res);
    await handler.check?.(req, res);
    req.body = await sentBody(route, req, res);
    await answer(req, res, req.body);
  };
}

function answerer(context: Context, route: Route, handler: HandlerOf<Route>): RequestHandler {
  const admit = admission(context, route);
  const { read, answer } = typeof handler === 'function' ? { read: reader(route), answer: handler } : handler;
  return async (req, res) => {
    if (route.audit) watchRefusal(context, route.audit, [req, res]);
    const { account, payer } = await admit(req, res);
    const query = route.query && parseBody(route.query, { ...req.query });
    req.body = await sentBody(route, req, res);
    const body = read(req.body, account);
    const answered = await answer({ req, res, params: req.params, query, body, account, payer });
    if (answered !== undefined) res.set('Cache-Control', 'no-store').json(answered);
  };
}

type Sender = { account?: Account; payer?: Payer };

/** Returns a check of the sender. It throws ProblemError if the sender has no access. */
function admission(context: Context, route: Route): (req: Request, res: Response) => Sender | Promise<Sender> {
  const { access } = route;
  switch (access.kind) {
    case 'api_key': {
      const guard = keyGuard(context, access);
      const watch = requestWatch(context, route);
      return (req, res) => {
        watch?.(req, res);
        guard(req, res);
        return { account: principalIn(res).account };
      };
    }
    case 'client_secret':
      return async (req) => ({ payer: await payerOf(context, req.headers.authorization) });
    case 'public':
      return () => ({});
  }
}

async function sentBody({ body }: Route, req: Request, res: Response): Promise<unknown> {
  if (body?.kind !== 'json') return undefined;
  return body.isOptional ? readBodyIfAny(req, res) : readJsonBody(req, res, body.withFile ? MAX_FILE_TEXT : 0);
}

/** Returns a function that reads a body by its schema; a shop's body without the fields that count as absent. */
function reader({ body }: Route): (sent: unknown, account?: Account) => object {
  if (body?.kind !== 'json') return () => ({});
  const schema = body.schema instanceof z.ZodType ? body.schema : z.union(body.schema);
  return (sent, account) => (account ? parseShopBody(schema, sent, account) : parseBody(schema, sent));
}

const methods = ['get', 'post', 'patch'] as const;

type Handlers = Partial<Record<Route['method'], RequestHandler[]>>;

/**
 * Adds a path with the handlers of its methods. Any other method is a 405 that lists these methods.
 * @param elsewhere methods of that path that another router answers
 */
export function addRoute(
  router: Router,
  path: string,
  handlers: Handlers,
  elsewhere: readonly Route['method'][] = [],
): void {
  const route = router.route(path);
  route.all(withoutNul);
  for (const method of methods) {
    const own = handlers[method];
    if (own) route[method](...own.map((one) => countHandler(path, one)));
  }
  const served = methods
    .filter((method) => handlers[method] || elsewhere.includes(method))
    .map((method) => method.toUpperCase());
  const allowed = served.join(', ').replace('GET', 'GET, HEAD');
  route.all((req, _res, next) => {
    const asked = req.method === 'HEAD' ? 'get' : req.method.toLowerCase();
    if (elsewhere.some((method) => method === asked)) return next();
    throw new ProblemError('method_not_allowed', `Use ${allowed}.`, { headers: { Allow: allowed } });
  });
}

/** Refuses ids and tokens with a NUL: PostgreSQL refuses such texts, which would look like a lost store. */
const withoutNul: RequestHandler = (req, _res, next) => {
  const hasNul = Object.values(req.params).some((value) => String(value).includes('\0'));
  next(hasNul ? new ProblemError('not_found', 'Check the address.') : undefined);
};
