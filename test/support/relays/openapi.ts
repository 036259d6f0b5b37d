import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../../relay/openapi/document-types.ts';
import { type JsonSchema, mapSchema } from '../../../relay/openapi/schemas/json-schema.ts';

/** Compiles the document's schemas. Each is named by its place, such as `#/components/schemas/Order`. */
export function schemasOf(document: OpenApiDocument): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  addFormats.default(ajv);
  // The document itself is not a schema, but the schemas are inside it.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema({ ...document }, 'openapi.json', false, false);
  return (pointer) => {
    const validate = ajv.getSchema(`openapi.json${pointer}`);
    if (!validate) throw new Error(`the document has no ${pointer}`);
    return validate;
  };
}

/** One step of a JSON pointer. */
export const step = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * The same document with named schemas of answers that permit only the named properties, unless they say otherwise:
 * so a test finds what the relay returns and the document does not describe.
 */
export function closed(document: OpenApiDocument): OpenApiDocument {
  const close = (schema: JsonSchema): JsonSchema =>
    schema.type === 'object' && schema.properties && schema.additionalProperties === undefined
      ? { ...schema, additionalProperties: false }
      : schema;
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [name, mapSchema(schema, close)]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}
