import type { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { webhookEvent } from '../../shared/api/webhook.ts';
import { problem } from '../../shared/checkout/problem.ts';
import { allRoutes } from '../routes/all.ts';
import { type NamedRoute, tags } from '../routes/route.ts';
import type { OpenApiDocument } from './document-types.ts';
import { operationObject } from './operation.ts';
import { headers, keyParameters, singleProblems } from './responses.ts';
import { components, type Described } from './schemas/components.ts';
import type { Rules } from './schemas/rules.ts';
import { webhooksOf } from './webhooks.ts';

/** The OpenAPI 3.1 document of a relay. `publicUrl` is its address, and `rules` follow from its gateway's profile. */
export function openApiDocument(publicUrl: string, rules: Rules): OpenApiDocument {
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Turnpike',
      version: manifest.version,
      summary: 'The HTTP API of the Turnpike relay.',
      description:
        'Create checkouts, make payments, refund, capture, cancel, query and pay out. A request never moves money twice: send every POST with an `Idempotency-Key`, and repeat it with the same key if its answer is lost. In the body of a request with an API key, an optional field that is `null` or `""` counts as left out.',
      license: { name: manifest.license, identifier: manifest.license },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: pathsOf(allRoutes),
    webhooks: webhooksOf(),
    components: {
      schemas: components(described(allRoutes), rules),
      responses: singleProblems(),
      headers,
      parameters: keyParameters,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the account, for servers alone. It has scopes; `*` is all of them.',
        },
        clientSecret: {
          type: 'http',
          scheme: 'bearer',
          description: 'A session’s `client_secret`, for the shopper’s browser. It opens this one session.',
        },
      },
    },
  };
}

/** The schemas of the routes' bodies, queries and answers, and of webhooks. */
function described(routes: readonly NamedRoute[]): Described {
  const bodiesOf = (some: readonly NamedRoute[]): z.ZodType[] =>
    some.flatMap(({ body }) => (body?.kind === 'json' ? body.schema : []));
  const answers = routes.flatMap((route) => route.answers.map(({ content }) => content));
  return {
    fromShops: bodiesOf(routes.filter(({ access }) => access.kind === 'api_key')),
    fromForms: bodiesOf(routes.filter(({ access }) => access.kind !== 'api_key')),
    queries: routes.flatMap(({ query }) => query ?? []),
    answers: [
      problem,
      ...answers.flatMap((content) => (content.kind === 'json' ? [content.schema] : [])),
      webhookEvent,
    ],
  };
}

function pathsOf(routes: readonly NamedRoute[]): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operationObject(route) };
  return paths;
}
