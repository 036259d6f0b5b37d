import type { Access, Answer, Example, NamedRoute } from '../routes/route.ts';
import type {
  MediaType,
  OperationObject,
  ParameterObject,
  Reference,
  RequestBodyObject,
  ResponseObject,
} from './document-types.ts';
import { headerRefs, problemResponses } from './responses.ts';
import { queryParameters } from './schemas/components.ts';
import { refOf } from './schemas/json-schema.ts';

/** One route in the form of the document. */
export function operationObject(route: NamedRoute): OperationObject {
  const parameters = parametersOf(route);
  const requestBody = requestBodyOf(route);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, rulesText(route), scopeText(route.access)].filter(Boolean).join('\n\n'),
    security: securityOf(route.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: withErrors(answersOf(route), problemResponses(route)),
  };
}

/** The rules for a route's body that its schema cannot express, in words; empty if there are none. */
export function rulesText({ rules = [] }: NamedRoute): string {
  return rules.length === 0
    ? ''
    : `A body that its schema takes can still be \`invalid_request\`: ${rules.join('; ')}.`;
}

/** The key that a route needs, in words; empty for a public route. */
export function scopeText(access: Access): string {
  switch (access.kind) {
    case 'api_key': {
      if (!access.scopes) return 'Needs an API key, whatever its scopes.';
      const scopes = access.scopes.map((scope) => `\`${scope}\``).join(', ');
      return `Needs an API key with the scope ${scopes}${access.which === undefined ? '' : ` (${access.which})`} or \`*\`.`;
    }
    case 'client_secret':
      return 'Needs the session’s `client_secret`.';
    case 'public':
      return '';
  }
}

function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.kind) {
    case 'api_key':
      return [{ apiKey: [] }];
    case 'client_secret':
      return [{ clientSecret: [] }];
    case 'public':
      return [];
  }
}

function parametersOf({ repeatable, ...route }: NamedRoute): (ParameterObject | Reference)[] {
  const own = parameterObjects(route);
  switch (repeatable) {
    case 'kept_answer':
      return [...own, { $ref: '#/components/parameters/IdempotencyKey' }];
    case 'same_attempt':
      return [...own, { $ref: '#/components/parameters/AttemptKey' }];
    case undefined:
      return own;
  }
}

/** The parameters of a route's path and query. */
export function parameterObjects({
  parameters = [],
  query,
}: Pick<NamedRoute, 'parameters' | 'query'>): ParameterObject[] {
  const own = parameters.map(
    (parameter): ParameterObject => ({
      ...parameter,
      required: parameter.in === 'path',
      schema: { type: 'string', ...(parameter.in === 'path' ? { minLength: 1 } : {}) },
    }),
  );
  return query === undefined ? own : [...own, ...queryParameters(query)];
}

function requestBodyOf({ body }: NamedRoute): RequestBodyObject | undefined {
  switch (body?.kind) {
    case 'json': {
      return {
        required: !body.isOptional,
        content: { 'application/json': { schema: refOf(body.schema), examples: examplesOf(body.examples) } },
      };
    }
    case 'anything':
      return { required: false, description: body.description, content: { '*/*': { schema: {} } } };
    case undefined:
      return undefined;
  }
}

function answersOf({ answers, repeatable }: NamedRoute): Record<string, ResponseObject> {
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
      return {
        'application/json': { schema: refOf(content.schema), examples: examplesOf(content.examples) },
        ...(content.or === undefined ? {} : { [content.or]: { schema: { type: 'string' } } }),
      };
    case 'text':
      return {
        [content.type]: {
          schema: content.type === 'application/json' ? { type: 'object' } : { type: 'string' },
          ...(content.examples ? { examples: examplesOf(content.examples) } : {}),
        },
      };
    case 'none':
      return undefined;
  }
}

/** If a page and an error share a status, the media type of the answer distinguishes them. */
function withErrors(
  answers: Record<string, ResponseObject>,
  problems: ReturnType<typeof problemResponses>,
): OperationObject['responses'] {
  const responses: OperationObject['responses'] = { ...answers };
  for (const [status, { shared, whole }] of Object.entries(problems)) {
    const answer = answers[status];
    responses[status] = answer ? eitherOf(answer, whole) : (shared ?? whole);
  }
  return responses;
}

function eitherOf(answer: ResponseObject, problem: ResponseObject): ResponseObject {
  return {
    description: `${answer.description}\n\n${problem.description}`,
    headers: { ...answer.headers, ...problem.headers },
    content: { ...answer.content, ...problem.content },
  };
}

function examplesOf(examples: readonly Example[]): NonNullable<MediaType['examples']> {
  return Object.fromEntries(examples.map(({ name, summary, value }) => [name, { summary, value }]));
}
