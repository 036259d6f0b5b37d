import type {
  MediaType,
  OperationObject,
  ParameterObject,
  Reference,
  RequestBodyObject,
  ResponseObject,
} from './document-types.ts';
import { headerRefs } from './headers.ts';
import { problemResponses } from './problem-responses.ts';
import type { Access, Answer, Example, RouteDoc } from './route.ts';
import { refTo } from './schemas/json-schema.ts';

/** One route as the document has it. */
export function operationObject(route: RouteDoc): OperationObject {
  const parameters = parametersOf(route);
  const requestBody = requestBodyOf(route);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scopeText(route.access)].filter(Boolean).join('\n\n'),
    security: securityOf(route.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...answersOf(route), ...errorsOf(route) },
  };
}

/** Which key opens a route, in words; empty where anybody may call it. */
export function scopeText(access: Access): string {
  switch (access.kind) {
    case 'api_key': {
      const scopes = access.scopes.map((scope) => `\`${scope}\``).join(', ');
      return `Needs an API key with the scope ${scopes}${access.scopes.length > 1 ? ', whichever the operation needs,' : ''} or \`*\`.`;
    }
    case 'client_secret':
      return 'Needs the session’s `client_secret`.';
    case 'anybody':
      return '';
  }
}

function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.kind) {
    case 'api_key':
      return [{ apiKey: [] }];
    case 'client_secret':
      return [{ clientSecret: [] }];
    case 'anybody':
      return [];
  }
}

function parametersOf({ parameters = [], repeatable }: RouteDoc): (ParameterObject | Reference)[] {
  const own = parameters.map(
    (parameter): ParameterObject => ({
      ...parameter,
      required: parameter.in === 'path',
      schema: { type: 'string', ...(parameter.in === 'path' ? { minLength: 1 } : {}) },
    }),
  );
  switch (repeatable) {
    case 'kept_answer':
      return [...own, { $ref: '#/components/parameters/IdempotencyKey' }];
    case 'same_attempt':
      return [...own, { $ref: '#/components/parameters/AttemptKey' }];
    case undefined:
      return own;
  }
}

function requestBodyOf({ body }: RouteDoc): RequestBodyObject | undefined {
  switch (body?.kind) {
    case 'json': {
      const schema = typeof body.schema === 'string' ? refTo(body.schema) : { anyOf: body.schema.map(refTo) };
      return { required: true, content: { 'application/json': { schema, examples: examplesOf(body.examples) } } };
    }
    case 'anything':
      return { required: false, description: body.description, content: { '*/*': { schema: {} } } };
    case undefined:
      return undefined;
  }
}

function answersOf({ answers, repeatable }: RouteDoc): Record<string, ResponseObject> {
  return Object.fromEntries(
    answers.map((answer): [string, ResponseObject] => {
      const replayed = repeatable === 'kept_answer' ? (['Idempotency-Replayed'] as const) : [];
      const content = contentOf(answer);
      return [
        String(answer.status),
        {
          description: answer.description,
          headers: headerRefs([...(answer.headers ?? []), ...replayed]),
          ...(content ? { content } : {}),
        },
      ];
    }),
  );
}

function contentOf({ content }: Answer): Record<string, MediaType> | undefined {
  switch (content.kind) {
    case 'json':
      return { 'application/json': { schema: refTo(content.schema), examples: examplesOf(content.examples) } };
    case 'text':
      return {
        [content.type]: { schema: content.type === 'application/json' ? { type: 'object' } : { type: 'string' } },
      };
    case 'none':
      return undefined;
  }
}

/** An error whose status is an answer's too is told by that answer: a page, or the health of the relay. */
function errorsOf(route: RouteDoc): Record<string, ResponseObject | Reference> {
  const told = new Set(route.answers.map(({ status }) => String(status)));
  return Object.fromEntries(Object.entries(problemResponses(route)).filter(([status]) => !told.has(status)));
}

function examplesOf(examples: readonly Example[]): NonNullable<MediaType['examples']> {
  return Object.fromEntries(examples.map(({ name, summary, value }) => [name, { summary, value }]));
}
