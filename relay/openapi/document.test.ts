import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../shared/api/webhook.ts';
import { problems } from '../../shared/checkout/problem-codes.ts';
import { schemasOf, step } from '../../test/support/relays/openapi.ts';
import { openApiDocument } from './document.ts';
import type { MediaType, Reference, ResponseObject } from './document-types.ts';
import { whatToDo } from './problems.ts';
import { isSchema, type JsonSchema, withoutLeftOut } from './schemas/json-schema.ts';
import type { Rules } from './schemas/rules.ts';

const rules: Rules = { list_separator: ',', query_requires: [['orders'], ['trades'], ['query_start', 'query_end']] };
const document = openApiDocument('https://pay.example', { ...rules, query_requires: [['orders'], ['trades']] });

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Every media type of the document with its place. */
function* mediaTypes(): Generator<[string, MediaType]> {
  const of = function* (pointer: string, content: Record<string, MediaType> = {}): Generator<[string, MediaType]> {
    for (const [type, media] of Object.entries(content)) yield [`${pointer}/content/${step(type)}`, media];
  };
  for (const { path, method, operation } of operations) {
    const place = `#/paths/${step(path)}/${method}`;
    yield* of(`${place}/requestBody`, operation.requestBody?.content);
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!isReference(response)) yield* of(`${place}/responses/${status}`, response.content);
    }
  }
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    yield* of(`#/webhooks/${step(type)}/post/requestBody`, post.requestBody?.content);
  }
  for (const [name, response] of Object.entries(document.components.responses)) {
    yield* of(`#/components/responses/${name}`, response.content);
  }
}

function isReference(response: ResponseObject | Reference): response is Reference {
  return '$ref' in response;
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, says an independent validator', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('has a version, a license and a server', () => {
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(document.info.license.identifier).toBe('MIT');
    expect(document.servers).toEqual([{ url: 'https://pay.example' }]);
  });

  it('has schemas that a strict JSON Schema compiler takes', () => {
    const schemaAt = schemasOf(document);
    for (const name of Object.keys(document.components.schemas)) {
      expect(() => schemaAt(`#/components/schemas/${name}`), name).not.toThrow();
    }
    for (const [place] of mediaTypes()) expect(() => schemaAt(`${place}/schema`), place).not.toThrow();
  });

  it('has examples, each valid under its schema', () => {
    const schemaAt = schemasOf(document);
    let seen = 0;
    for (const [place, media] of mediaTypes()) {
      const validate = schemaAt(`${place}/schema`);
      for (const [name, { value }] of Object.entries(media.examples ?? {})) {
        seen += 1;
        expect(validate(value), `${place} ${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
      }
    }
    expect(seen).toBeGreaterThan(60);
    for (const { operation, path } of operations) {
      const [json] = Object.entries(operation.requestBody?.content ?? {});
      if (json?.[0] === 'application/json') expect(Object.keys(json[1].examples ?? {}), path).not.toEqual([]);
    }
  });

  it('has every webhook with an example, and what all have in common', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...eventTypes].sort());
    const ids = new Set(operations.map(({ operation }) => operation.operationId));
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { examples = {} } = post.requestBody?.content['application/json'] ?? {};
      expect(
        Object.values(examples).map(({ value }) => value),
        type,
      ).toMatchObject([{ type, data: {} }]);
      expect(ids).not.toContain(post.operationId);
      ids.add(post.operationId);
    }
  });

  it('shows an example of every JSON answer', () => {
    for (const { operation, path } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const json = isReference(response) ? undefined : response.content?.['application/json'];
        if (json) expect(Object.keys(json.examples ?? {}), `${path} ${status}`).not.toEqual([]);
      }
    }
  });

  it('names the session in payment problems and the operation in others', () => {
    const idsIn = (path: string, status: string) => {
      const response = document.paths[path]?.post?.responses[status];
      const { examples = {} } =
        (response && !isReference(response) && response.content?.['application/problem+json']) || {};
      return JSON.stringify(examples).match(/"operation_id":"(cs|op)_/g);
    };
    for (const status of ['409', '503'])
      expect(new Set(idsIn('/v1/payments', status))).toEqual(new Set(['"operation_id":"cs_']));
    expect(new Set(idsIn('/v1/refund', '409'))).toEqual(new Set(['"operation_id":"op_']));
    expect(document.paths['/v1/payments']?.post?.description).toContain('`operation_id`');
    expect(document.paths['/v1/sessions/{id}']?.get?.description).toMatch(
      /`sessions`, `payments` .*`POST \/v1\/payments`/,
    );
  });

  it('names every error code under some route, with its status', () => {
    const named = new Set<string>();
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const [name = ''] = isReference(response) ? response.$ref.split('/').slice(-1) : [];
        const known = isReference(response) ? document.components.responses[name] : response;
        for (const code of codesIn(known?.content?.['application/problem+json']?.schema ?? {})) {
          named.add(code);
          expect(problems, `${code} is ${status}`).toMatchObject({ [code]: { status: Number(status) } });
        }
      }
    }
    // The console's routes are its page's own.
    const own = Object.entries(whatToDo).flatMap(([code, what]) =>
      what.startsWith('Only the console’s page') ? [code] : [],
    );
    const ofPeople = ['above_limit', 'own_request', 'approval_waiting', 'approval_over'];
    expect([...named, ...own, ...ofPeople].sort()).toEqual(Object.keys(problems).sort());
  });

  it('describes every route, named schema and field', () => {
    for (const { operation, path } of operations) {
      expect(operation.summary, path).not.toBe('');
      expect(operation.description, path).not.toBe('');
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(schema.description, name).toBeTypeOf('string');
      for (const [path, field] of fieldsIn(schema, name)) expect(field.description, path).toBeTypeOf('string');
    }
  });

  it('has the limits of §8 and the query’s required names', () => {
    const limit = (name: string, list: string) => {
      const field = document.components.schemas[name]?.properties?.[list];
      return isSchema(field) ? withoutLeftOut(field) : undefined;
    };
    expect(limit('Refund', 'refund_orders')).toMatchObject({ minItems: 1, maxItems: 50 });
    expect(limit('Review', 'review_orders')).toMatchObject({ minItems: 1, maxItems: 100 });
    expect(limit('Query', 'orders')).toMatchObject({ maxItems: 100 });
    const names = (schema: JsonSchema | undefined) => schema?.anyOf?.map(({ required }) => required);
    expect(names(document.components.schemas.Query)).toEqual([['orders'], ['trades']]);
    expect(names(openApiDocument('https://pay.example', rules).components.schemas.Query)).toEqual(rules.query_requires);
  });

  it('marks write-only fields, and shows only published test cards', () => {
    for (const name of ['CardNumber', 'SecurityCode']) {
      expect(document.components.schemas[name]).toMatchObject({ writeOnly: true });
    }
    const numbers = JSON.stringify(document).match(/(?<!\d)(?:\d[ -]?){15}\d(?!\d)/g) ?? [];
    expect(new Set(numbers.map((number) => number.replace(/\D/g, '')))).toEqual(
      new Set(['4111111111111111', '9007199254740991']),
    );
  });
});

function codesIn(schema: JsonSchema): string[] {
  return (schema.allOf ?? []).flatMap((part) => {
    const code = part.properties?.code;
    return isSchema(code) ? (code.enum ?? []).map(String) : [];
  });
}

function* fieldsIn(schema: JsonSchema, path: string): Generator<[string, JsonSchema]> {
  // A rule that only adds to a field which is described elsewhere has no type of its own.
  if (schema.type !== undefined) {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (isSchema(field)) yield [`${path}.${name}`, field];
    }
  }
  const inner = [
    ...Object.values(schema.properties ?? {}),
    schema.items,
    ...(schema.oneOf ?? []),
    ...(schema.anyOf ?? []),
  ];
  for (const one of inner) if (isSchema(one)) yield* fieldsIn(one, path);
}
