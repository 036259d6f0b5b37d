import { expect } from 'vitest';
import { openApiDocument } from '../../../relay/openapi/document.ts';
import type {
  OpenApiDocument,
  OperationObject,
  Reference,
  ResponseObject,
} from '../../../relay/openapi/document-types.ts';
import type { Rules } from '../../../relay/openapi/schemas/rules.ts';
import type { EventAnswer } from '../../../shared/api/event.ts';
import { closed, schemasOf, step } from './openapi.ts';
import type { Answer } from './relay.ts';

export const defaultRules: Rules = {
  list_separator: ',',
  query_requires: [['orders'], ['trades'], ['query_start', 'query_end']],
};

type Compiled = { document: OpenApiDocument; schemaAt: ReturnType<typeof schemasOf> };

/** The documents of this process and their compiled schemas. No schema contains the relay's address. */
const compiled = new Map<string, Compiled>();

function compiledBy(rules: Rules): Compiled {
  const key = JSON.stringify(rules);
  const known = compiled.get(key);
  if (known) return known;
  const document = closed(openApiDocument('https://pay.example', rules));
  const made = { document, schemaAt: schemasOf(document) };
  compiled.set(key, made);
  return made;
}

/** Checks a relay's answers against its document: status, headers, media type and body. */
export function documented(rules: Rules = defaultRules) {
  const { document, schemaAt } = compiledBy(rules);
  const seen = new Set<string>();

  return {
    document,
    /** Every `METHOD path status code` that was checked. */
    seen,
    /** Whether the document calls a body valid. */
    isValidBody(path: string, body: unknown, method: 'post' | 'patch' = 'post'): boolean {
      return schemaAt(`#/paths/${step(path)}/${method}/requestBody/content/${step('application/json')}/schema`)(body);
    },
    /** The rules that the document states in text for the body of a POST or PATCH; empty if there are none. */
    rulesOf(path: string, method: 'post' | 'patch' = 'post'): string {
      const paragraphs = document.paths[path]?.[method]?.description.split('\n\n') ?? [];
      return paragraphs.find((text) => text.startsWith('A body that its schema takes can still be')) ?? '';
    },
    /** Checks a webhook against the document. */
    checkWebhook({ type, created_at, data }: EventAnswer): void {
      const validate = schemaAt(`#/webhooks/${step(type)}/post/requestBody/content/${step('application/json')}/schema`);
      const isRight = validate({ type, timestamp: created_at, data });
      expect(isRight, `${type} ${JSON.stringify(data)}: ${JSON.stringify(validate.errors)}`).toBe(true);
    },
    check(method: 'get' | 'post' | 'patch', template: string, answer: Answer): void {
      const what = `${method} ${template} → ${answer.status} ${answer.text}`;
      const operation = document.paths[template]?.[method];
      expect(operation, `${template} is not in the document`).toBeDefined();
      const [place, response] = responseOf(document, operation, template, method, answer.status);
      expect(response, `${what} is not in the document`).toBeDefined();
      const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
      const types = Object.keys(response?.content ?? {});
      if (types.length > 0) expect(types, what).toContain(type);
      for (const [name, header] of Object.entries(response?.headers ?? {})) {
        const known = '$ref' in header ? document.components.headers[name] : header;
        const value = answer.headers.get(name);
        if (known?.required) expect(value, `${what}: ${name}`).not.toBeNull();
        const isRight = value === null || schemaAt(`#/components/headers/${step(name)}/schema`)(value);
        expect(isRight, `${what}: ${name}: ${value}`).toBe(true);
      }
      if (/json/.test(type)) {
        const validate = schemaAt(`${place}/content/${step(type)}/schema`);
        expect(validate(answer.body), `${what}: ${JSON.stringify(validate.errors)}`).toBe(true);
      }
      seen.add(`${method} ${template} ${answer.status} ${answer.body.code ?? ''}`.trim());
    },
  };
}

function responseOf(
  document: OpenApiDocument,
  operation: OperationObject | undefined,
  path: string,
  method: string,
  status: number,
): [string, ResponseObject | undefined] {
  const response: ResponseObject | Reference | undefined = operation?.responses[String(status)];
  if (response && '$ref' in response) {
    return [response.$ref, document.components.responses[response.$ref.split('/').at(-1) ?? '']];
  }
  return [`#/paths/${step(path)}/${method}/responses/${status}`, response];
}
