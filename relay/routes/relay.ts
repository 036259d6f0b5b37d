import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { sessionId } from '../../shared/samples/ids.ts';
import { dependencies } from '../base/outages.ts';
import { type Example, json, type Route, type Routes, text } from './route.ts';

/** `GET /`. */
const about = z
  .object({
    name: z.string().describe('Always `turnpike-relay`.'),
    version: z.string().describe('The version that runs.'),
    description: z.string().describe('A description in one sentence.'),
    links: z
      .object({
        docs: z.string().describe('The reference of the API.'),
        openapi: z.string().describe('The OpenAPI document.'),
        health: z.string().describe('Whether the process runs.'),
        readiness: z.string().describe('Whether it accepts payments.'),
      })
      .describe('Paths of this relay.'),
  })
  .meta({ name: 'About', description: 'The relay’s name, version and paths.' });

/** `GET /healthz` and `GET /readyz`. */
const health = z
  .object({ status: z.literal('up').describe('Always `up`.') })
  .meta({ name: 'Health', description: 'The relay runs.' });
const readiness = z
  .object({
    status: z
      .enum(['ready', 'not_ready'])
      .describe('`not_ready` while the store cannot be reached or the relay is about to stop.'),
    lost: z
      .array(
        z.object({
          part: z.enum(dependencies).describe('What is lost.'),
          code: z.string().describe('Why: a code of the system or the database, such as `ECONNREFUSED` or `28P01`.'),
          since: z.string().describe('Since when.'),
        }),
      )
      .describe('What the relay cannot use now. Of these only a lost `store` makes it `not_ready`.'),
  })
  .meta({ name: 'Readiness', description: 'Whether the relay accepts payments.' });

const state = <Schema extends z.ZodType>(status: number, description: string, schema: Schema, value: object) =>
  json(status, description, schema, [{ name: 'example', summary: description, value }]);

/** The first lines of the document. The complete one would contain itself. */
const documentExample: Example = {
  name: 'example',
  summary: 'The beginning of the document',
  value: {
    openapi: '3.1.0',
    info: { title: 'Turnpike', version: manifest.version },
    servers: [{ url: 'https://pay.example' }],
    paths: {
      '/healthz': { get: { operationId: 'healthz', responses: { 200: { description: 'The process runs.' } } } },
    },
  },
};

/** The name and the addresses of this relay. */
export const aboutRelay: z.infer<typeof about> = {
  name: manifest.name,
  version: manifest.version,
  description: manifest.description,
  links: { docs: '/docs', openapi: '/openapi.json', health: '/healthz', readiness: '/readyz' },
};

const HINT =
  'The relay never treats a notification as a fact. It stores its size, hash and identifying fields, acknowledges it, and then queries the gateway about the payment and about what the notification names. The shop gets the webhook `notification.received`, unless the notification only repeats the payment’s outcome.';

const notified = {
  path: '/notify/{kind}/{id}/{token}',
  access: { kind: 'public' },
  parameters: [
    { name: 'kind', in: 'path', description: 'The subject: `payment` or `payout`.', example: 'payment' },
    { name: 'id', in: 'path', description: 'The id of the session or the operation.', example: sessionId },
    {
      name: 'token',
      in: 'path',
      description: 'The proof that the relay created this address.',
      example: 'q3V8nT5kLw2RzXb7HcJm9PsYd4FgUe6AtNo1BiKx0Cv',
    },
  ],
  answers: [text(200, 'Acknowledged, with the text of the profile’s `notification_ack`.', 'text/plain')],
} as const satisfies Partial<Route>;

/** The routes for the gateway. */
export const notifyRoutes = {
  notifyByGet: {
    ...notified,
    method: 'get',
    summary: 'Receive a notification by GET',
    description: `For gateways that notify by GET: the fields are in the query of the address. ${HINT}`,
    problems: ['not_found', 'store_unavailable'],
  },
  notify: {
    ...notified,
    method: 'post',
    summary: 'Receive a notification',
    description: `The \`notify_url\` that the relay gives to the gateway. ${HINT}`,
    body: {
      kind: 'anything',
      description: 'Any content, at most 1 MiB, plain or compressed with gzip, deflate or br.',
    },
    problems: ['not_found', 'body_too_large', 'unsupported_media_type', 'store_unavailable'],
  },
} as const satisfies Routes;

/** The route that describes the relay. */
export const aboutRoutes = {
  about: {
    method: 'get',
    path: '/',
    summary: 'Describe the relay',
    description:
      'Returns the name and version of the relay, and the paths of its reference and its health checks. Browsers get a page.',
    access: { kind: 'public' },
    answers: [
      json(200, 'The relay.', about, [{ name: 'example', summary: 'The relay', value: aboutRelay }], {
        or: 'text/html',
        headers: ['Cache-Control'],
      }),
    ],
  },
} as const satisfies Routes;

/** The routes for the operator's tools. */
export const monitoringRoutes = {
  healthz: {
    method: 'get',
    path: '/healthz',
    summary: 'Check the process',
    description: 'Answers 200 while the process runs.',
    access: { kind: 'public' },
    answers: [state(200, 'The process runs.', health, { status: 'up' })],
  },
  readyz: {
    method: 'get',
    path: '/readyz',
    summary: 'Check readiness',
    description: 'States whether the relay can read and write its store, and is not stopping.',
    access: { kind: 'public' },
    answers: [
      state(200, 'The relay accepts payments.', readiness, { status: 'ready', lost: [] }),
      state(503, 'The relay does not accept payments: send requests to another one.', readiness, {
        status: 'not_ready',
        lost: [{ part: 'store', code: '28P01', since: '2026-11-21T12:00:00.000Z' }],
      }),
    ],
  },
  metrics: {
    method: 'get',
    path: '/metrics',
    summary: 'Read the metrics',
    description:
      'Returns the metrics of the relay for Prometheus. `docs/monitoring.md` explains each metric and the alerts. Do not make it public: it shows business figures.',
    access: { kind: 'public' },
    answers: [
      text(
        200,
        'The metrics. If the store cannot be read, those of the store are absent and `turnpike_store_up` is 0.',
        'text/plain',
        ['Cache-Control'],
      ),
    ],
  },
} as const satisfies Routes;

/** The routes with the description of all routes. */
export const documentRoutes = {
  openApi: {
    method: 'get',
    path: '/openapi.json',
    summary: 'Read this description as a document',
    description:
      'Returns this description as OpenAPI 3.1. It is generated from the schemas by which the relay checks requests.',
    access: { kind: 'public' },
    answers: [
      {
        status: 200,
        description: 'The document.',
        content: { kind: 'text', type: 'application/json', examples: [documentExample] },
        headers: ['ETag', 'Cache-Control'],
      },
    ],
  },
  docs: {
    method: 'get',
    path: '/docs',
    summary: 'Read this description as a page',
    description: 'Returns a page with one small script, for its search.',
    access: { kind: 'public' },
    answers: [text(200, 'The page.', 'text/html', ['ETag', 'Cache-Control'])],
  },
  docsStyle: {
    method: 'get',
    path: '/docs.css',
    summary: 'Load the page’s style sheet',
    description: 'The style sheet of `/docs`.',
    access: { kind: 'public' },
    answers: [text(200, 'The style sheet.', 'text/css', ['ETag', 'Cache-Control'])],
  },
  docsScript: {
    method: 'get',
    path: '/docs.js',
    summary: 'Load the page’s script',
    description: 'The script of `/docs`, which searches its contents.',
    access: { kind: 'public' },
    answers: [text(200, 'The script.', 'text/javascript', ['ETag', 'Cache-Control'])],
  },
} as const satisfies Routes;
