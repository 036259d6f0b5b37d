import { z } from 'zod';
import { eventTypes } from '../../shared/api/webhook.ts';
import { secret } from './secrets.ts';
import { httpUrl } from './urls.ts';

const MAX_ENDPOINTS = 10;

/** The id of the endpoint in `webhook`. */
export const DEFAULT_ENDPOINT = 'default';

/** Whether a list contains a type, by its name or by a prefix such as `operation.*`. */
const isNamed = (name: string, type: string): boolean =>
  name.endsWith('.*') ? type.startsWith(name.slice(0, -1)) : name === type;

const eventName = z
  .string()
  .refine(
    (name) => eventTypes.some((type) => isNamed(name, type)),
    'must be a type of event, or a prefix such as operation.*',
  );

const receiver = {
  url: httpUrl,
  secrets: z.array(secret).min(1).max(2),
  /** The types of events that the endpoint gets. Default: all. */
  events: z.array(eventName).min(1).optional(),
};

/** The endpoints of an account: `webhook` is one endpoint, `webhooks` are several. */
export const endpointSettings = {
  webhook: z.strictObject(receiver).optional(),
  webhooks: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9_-]{1,64}$/i, 'must be 1 to 64 letters, digits, - or _'),
        ...receiver,
      }),
    )
    .max(MAX_ENDPOINTS)
    .optional(),
};

type Given = { [Setting in keyof typeof endpointSettings]?: z.infer<(typeof endpointSettings)[Setting]> };

/** A receiver of an account's webhooks, with its secrets read. */
export type Endpoint = { id: string; url: string; secrets: readonly string[]; events?: readonly string[] };

/**
 * Reads the endpoints of an account.
 * @param secretAt returns the secret at a path below the account, such as `webhook.secrets.0`
 */
export function readEndpoints({ webhook, webhooks = [] }: Given, secretAt: (path: string) => string): Endpoint[] {
  const given = webhook
    ? [{ id: DEFAULT_ENDPOINT, path: 'webhook', ...webhook }]
    : webhooks.map((one, i) => ({ ...one, path: `webhooks.${i}` }));
  return given.map(({ path, events, ...endpoint }) => ({
    ...endpoint,
    secrets: endpoint.secrets.map((_, i) => secretAt(`${path}.secrets.${i}`)),
    ...(events ? { events } : {}),
  }));
}

const secretList = z.array(secret.optional().catch(undefined)).catch([]);
const receiverAsGiven = z.looseObject({ id: z.string().optional().catch(undefined), secrets: secretList });

/** The form of the endpoints, in settings that may have other mistakes. */
export const endpointsAsGiven = {
  webhook: receiverAsGiven.optional().catch(undefined),
  webhooks: z
    .array(receiverAsGiven.catch({ secrets: [] }))
    .optional()
    .catch(undefined),
};

type AsGiven = { [Setting in keyof typeof endpointsAsGiven]?: z.infer<(typeof endpointsAsGiven)[Setting]> };

/** The secrets of endpoints, each with its path below the account. */
export function endpointSecrets({ webhook, webhooks = [] }: AsGiven) {
  return [
    ...(webhook ? [{ path: 'webhook', ...webhook }] : []),
    ...webhooks.map((one, i) => ({ path: `webhooks.${i}`, ...one })),
  ].flatMap(({ path, secrets }) => secrets.map((secret, i) => ({ path: `${path}.secrets.${i}`, secret })));
}

/** Yields the problems of an account's endpoints, each with its path below the account. */
export function* endpointProblems({ webhook, webhooks = [] }: AsGiven): Generator<string> {
  if (webhook && webhooks.length > 0) yield 'webhook: give webhook or webhooks, not both';
  for (const [at, { id }] of webhooks.entries()) {
    const isRepeated = id !== undefined && webhooks.findIndex((one) => one.id === id) < at;
    if (isRepeated) yield `webhooks.${at}.id: two endpoints are called ${id}`;
  }
}

/** Whether an endpoint receives the events of a type. */
export function isSubscribed({ events }: Endpoint, type: string): boolean {
  return events === undefined || events.some((name) => isNamed(name, type));
}
