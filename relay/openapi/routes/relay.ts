import manifest from '../../../package.json' with { type: 'json' };
import { sessionId } from '../../../shared/samples/ids.ts';
import type { Answer, Example, RouteDoc } from '../route.ts';

const health = (status: number, description: string, schema: string, value: object): Answer => ({
  status,
  description,
  content: { kind: 'json', schema, examples: [{ name: 'example', summary: description, value }] },
});

/** The first lines of the document; all of it would hold itself. */
const documentExample: Example = {
  name: 'example',
  summary: 'How it begins',
  value: {
    openapi: '3.1.0',
    info: { title: 'Turnpike', version: manifest.version },
    servers: [{ url: 'https://pay.example' }],
    paths: { '/healthz': { get: { operationId: 'healthz', responses: { 200: { description: 'It is.' } } } } },
  },
};

const aboutExample: Example = {
  name: 'example',
  summary: 'What it is',
  value: {
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    links: { docs: '/docs', openapi: '/openapi.json', health: '/healthz', readiness: '/readyz' },
  },
};

const HINT =
  'What it says is a hint, never a fact: its size, hash and identifying fields are kept, it is acknowledged, and then the relay asks the gateway about the payment and about what it names. The shop hears of it by the webhook `notification.received`, but for what only repeats the payment’s outcome.';

const notified = {
  path: '/notify/{kind}/{id}/{token}',
  tag: 'Gateway',
  access: { kind: 'anybody' },
  parameters: [
    { name: 'kind', in: 'path', description: 'What it is about: `payment` or `payout`.', example: 'payment' },
    { name: 'id', in: 'path', description: 'The session or the operation.', example: sessionId },
    {
      name: 'token',
      in: 'path',
      description: 'Proof that the address came from the relay.',
      example: 'q3V8nT5kLw2RzXb7HcJm9PsYd4FgUe6AtNo1BiKx0Cv',
    },
  ],
  answers: [
    {
      status: 200,
      description: 'Acknowledged, in the words that the profile’s `notification_ack` sets.',
      content: { kind: 'text', type: 'text/plain' },
    },
  ],
} as const satisfies Partial<RouteDoc>;

/** What the gateway and the operator call. */
export const relayRoutes: readonly RouteDoc[] = [
  {
    ...notified,
    method: 'get',
    id: 'notifyByGet',
    summary: 'The gateway tells of news in the address',
    description: `The same for gateways that notify by GET: what they say stands in the query of the address. ${HINT}`,
    problems: ['not_found', 'store_unavailable'],
  },
  {
    ...notified,
    method: 'post',
    id: 'notify',
    summary: 'The gateway tells of news',
    description: `The \`notify_url\` that the relay gives to the gateway. ${HINT}`,
    body: {
      kind: 'anything',
      description: 'Whatever the gateway sends, up to 1 MiB, plain or compressed with gzip, deflate or br.',
    },
    problems: ['not_found', 'body_too_large', 'unsupported_media_type', 'store_unavailable'],
  },
  {
    method: 'get',
    path: '/',
    id: 'about',
    tag: 'Relay',
    summary: 'What is this?',
    description:
      'The name and version of the relay, and where its description and its health are. Browsers get a page.',
    access: { kind: 'anybody' },
    answers: [
      {
        status: 200,
        description: 'What it is.',
        content: { kind: 'json', schema: 'About', or: 'text/html', examples: [aboutExample] },
        headers: ['Cache-Control'],
      },
    ],
    problems: [],
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'healthz',
    tag: 'Relay',
    summary: 'Is it up?',
    description: 'Answers as long as the process runs.',
    access: { kind: 'anybody' },
    answers: [health(200, 'It is.', 'Health', { status: 'up' })],
    problems: [],
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'readyz',
    tag: 'Relay',
    summary: 'Does it take requests?',
    description: 'Whether the store can be reached and the relay is not about to stop.',
    access: { kind: 'anybody' },
    answers: [
      health(200, 'It does.', 'Readiness', { status: 'ready' }),
      health(503, 'It does not: send requests elsewhere.', 'Readiness', { status: 'not_ready' }),
    ],
    problems: [],
  },
  {
    method: 'get',
    path: '/metrics',
    id: 'metrics',
    tag: 'Relay',
    summary: 'How is it doing?',
    description:
      'What the relay counts and measures, for Prometheus. `docs/watch-it.md` tells what each figure means and which alerts to set. Keep it from the public: it holds no secret, but it tells how business goes.',
    access: { kind: 'anybody' },
    answers: [
      {
        status: 200,
        description: 'The figures. Where the store cannot be read its own are missing and `turnpike_store_up` is 0.',
        content: { kind: 'text', type: 'text/plain' },
        headers: ['Cache-Control'],
      },
    ],
    problems: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'openApi',
    tag: 'Relay',
    summary: 'This description, for programs',
    description: 'OpenAPI 3.1. It is made from the very schemas that the relay checks requests with.',
    access: { kind: 'anybody' },
    answers: [
      {
        status: 200,
        description: 'The document.',
        content: { kind: 'text', type: 'application/json', examples: [documentExample] },
        headers: ['ETag', 'Cache-Control'],
      },
    ],
    problems: [],
  },
  {
    method: 'get',
    path: '/docs',
    id: 'docs',
    tag: 'Relay',
    summary: 'This description, for people',
    description: 'A page with one small script, for its search.',
    access: { kind: 'anybody' },
    answers: [
      {
        status: 200,
        description: 'The page.',
        content: { kind: 'text', type: 'text/html' },
        headers: ['ETag', 'Cache-Control'],
      },
    ],
    problems: [],
  },
  {
    method: 'get',
    path: '/docs.css',
    id: 'docsStyle',
    tag: 'Relay',
    summary: 'The page’s style sheet',
    description: 'Belongs to `/docs`.',
    access: { kind: 'anybody' },
    answers: [
      {
        status: 200,
        description: 'The style sheet.',
        content: { kind: 'text', type: 'text/css' },
        headers: ['ETag', 'Cache-Control'],
      },
    ],
    problems: [],
  },
  {
    method: 'get',
    path: '/docs.js',
    id: 'docsScript',
    tag: 'Relay',
    summary: 'The page’s script',
    description: 'Belongs to `/docs`, and searches its contents.',
    access: { kind: 'anybody' },
    answers: [
      {
        status: 200,
        description: 'The script.',
        content: { kind: 'text', type: 'text/javascript' },
        headers: ['ETag', 'Cache-Control'],
      },
    ],
    problems: [],
  },
];
