import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ProblemError } from '../../../relay/base/errors.ts';
import { payBodySchema } from '../../../relay/checkout/browser-routes.ts';
import { readPayment } from '../../../relay/checkout/server/payment.ts';
import { profile } from '../../../relay/gateway/profile.ts';
import { parseBody, parseShopBody } from '../../../relay/http/parse.ts';
import { resolve } from '../../../relay/openapi/schemas/components.ts';
import { isSchema, type JsonSchema, withoutLeftOut } from '../../../relay/openapi/schemas/json-schema.ts';
import { messageOf } from '../../../relay/operations/request.ts';
import { orderActionRoutes } from '../../../relay/routes/orders/order-actions.ts';
import { redeliverEvents } from '../../../shared/api/event.ts';
import { settleBody } from '../../../shared/api/operation.ts';
import { noteOrder } from '../../../shared/api/order-note.ts';
import { settlePayment } from '../../../shared/api/order-payment.ts';
import { reconciliationReport } from '../../../shared/api/reconciliation.ts';
import { settleSession } from '../../../shared/api/session.ts';
import { acknowledgeSubscription } from '../../../shared/api/subscription.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import { removeCard } from '../../../shared/checkout/pay.ts';
import { createSession } from '../../../shared/checkout/session.ts';
import { type Operation, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { valuesOf } from '../../support/relays/bodies.ts';
import { defaultRules, documented } from '../../support/relays/documented.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';

const reference = documented();
const { document } = reference;
const { schemas } = document.components;

/**
 * A place in a body: a field or an entry of a list. `put` returns the body with another value there. `body` is valid.
 */
type Place = { path: string; put: (value: unknown) => unknown; body: unknown };

/**
 * Every place in the values of a schema. Objects and lists around it come from the sample, or else are the smallest.
 */
function* placesIn(field: JsonSchema, samples: readonly unknown[], path: string, put: Place['put']): Generator<Place> {
  const schema = resolve(withoutLeftOut(field), schemas);
  const forms = schema.type === undefined ? (schema.oneOf ?? schema.anyOf ?? []) : [];
  for (const form of forms) yield* placesIn(form, samples, path, put);
  if (schema.type === 'object') {
    const object = samples.find((sample) => isOf(sample, schema)) ?? smallest(schema);
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const place = `${path}.${name}`;
      const putField = (value: unknown): unknown => put({ ...(isObject(object) ? object : {}), [name]: value });
      yield { path: place, put: putField, body: put(object) };
      if (isSchema(inner)) yield* placesIn(inner, isObject(object) ? [Reflect.get(object, name)] : [], place, putField);
    }
  }
  const { items } = schema;
  if (schema.type === 'array' && isSchema(items) && !Array.isArray(items)) {
    const list = samples.find(Array.isArray) ?? [];
    const [first = smallest(items), ...rest]: unknown[] = list;
    const putEntry = (value: unknown): unknown => put([value, ...rest]);
    yield { path: `${path}[]`, put: putEntry, body: putEntry(first) };
    yield* placesIn(items, [first], `${path}[]`, putEntry);
  }
}

/** Whether a sample has this alternative of several: it has the required fields and no unknown ones. */
function isOf(sample: unknown, { properties = {}, required = [] }: JsonSchema): sample is object {
  if (!isObject(sample) || Array.isArray(sample)) return false;
  const names = Object.keys(sample);
  return required.every((name) => names.includes(name)) && names.every((name) => Object.hasOwn(properties, name));
}

/** The smallest value of a schema. */
function smallest(field: JsonSchema): unknown {
  const schema = resolve(field, schemas);
  const [form] = schema.type === undefined ? (schema.oneOf ?? schema.anyOf ?? []) : [];
  if (form) return smallest(form);
  if (schema.type === 'array') {
    return isSchema(schema.items) && !Array.isArray(schema.items) && schema.minItems ? [smallest(schema.items)] : [];
  }
  if (schema.type === 'object') {
    const needed = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(needed.map(([name, inner]) => [name, isSchema(inner) ? smallest(inner) : undefined]));
  }
  const size = (value: unknown): number => JSON.stringify(value).length;
  return fc.sample(valuesOf(document, field), { numRuns: 50, seed: 1 }).sort((a, b) => size(a) - size(b))[0];
}

type Takes = (body: unknown) => boolean | Promise<boolean>;

const takenBy =
  (read: (body: unknown) => unknown): Takes =>
  (body) => {
    try {
      read(body);
      return true;
    } catch (error) {
      if (error instanceof ProblemError) return false;
      throw error;
    }
  };

const shop = (schema: z.ZodType): Takes => takenBy((body) => parseShopBody(schema, body));

/**
 * How the relay reads the bodies of its routes. PATCH goes to a real relay, since it reads a change as a whole order.
 */
const routes: Record<string, Takes> = {
  '/v1/sessions': shop(createSession),
  '/v1/sessions/{id}/settle': shop(settleSession),
  '/v1/payments': takenBy(readPayment),
  '/v1/payments/{transaction_id}/settle': shop(settlePayment),
  '/v1/operations/{id}/settle': shop(settleBody),
  '/v1/orders/{order_no}/notes': shop(noteOrder),
  '/v1/subscriptions/{recurring_id}/acknowledge': shop(acknowledgeSubscription),
  '/v1/events/redeliver': shop(redeliverEvents),
  '/v1/reconciliations': shop(reconciliationReport),
  ...Object.fromEntries(Object.values(orderActionRoutes).map(({ path, body }) => [path, shop(body.schema)])),
  '/checkout/api/pay': takenBy((body) => parseBody(payBodySchema(body), body)),
  '/checkout/api/remove-card': takenBy((body) => parseBody(removeCard, body)),
  ...Object.fromEntries(
    operationNames.flatMap((name): [string, Takes][] => {
      const { route }: Operation = operations[name];
      return route ? [[route.path, takenBy((body) => messageOf(name, body, profile.parse(defaultRules)))]] : [];
    }),
  ),
};

function placesOf(path: string, method: 'post' | 'patch'): Place[] {
  const json = document.paths[path]?.[method]?.requestBody?.content['application/json'];
  const samples = Object.values(json?.examples ?? {}).map(({ value }) => value);
  return [...placesIn(json?.schema ?? {}, samples, '', (value) => value)];
}

/** Compares what the relay accepts with what the document calls valid, with `null` and with `""` at each place. */
async function compare(path: string, method: 'post' | 'patch', takes: Takes): Promise<void> {
  const places = placesOf(path, method);
  expect(places).not.toEqual([]);
  for (const { path: place, put, body } of places) {
    expect(reference.isValidBody(path, body, method), `the document takes ${JSON.stringify(body)}`).toBe(true);
    expect(await takes(body), `the relay takes ${JSON.stringify(body)}`).toBe(true);
    for (const empty of [null, '']) {
      const isTaken = await takes(put(empty));
      expect(reference.isValidBody(path, put(empty), method), `${place}: ${JSON.stringify(empty)}`).toBe(isTaken);
    }
  }
}

describe('null and "" at every place of a body', () => {
  it.each(Object.entries(routes))('are valid exactly where POST %s accepts them', async (path, takes) => {
    await compare(path, 'post', takes);
  });

  it('are valid exactly where PATCH /v1/sessions/{id} accepts them', async () => {
    const gateway = await scriptedGateway(compliant);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { id } = await relay.session();
    await compare('/v1/sessions/{id}', 'patch', async (body) => {
      const { status, text } = await relay.send(`/v1/sessions/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([200, 400], text).toContain(status);
      return status === 200;
    });
  });

  it('are compared for every body with fields', () => {
    const withFields = Object.keys(document.paths).filter((path) => placesOf(path, 'post').length > 0);
    expect(withFields.sort()).toEqual(Object.keys(routes).sort());
  });
});
