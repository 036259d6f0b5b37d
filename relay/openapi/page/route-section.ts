import { type ProblemCode, problemCodes, problems } from '../../../shared/checkout/problem-codes.ts';
import { type Answer, type Example, type NamedRoute, problemsOf } from '../../routes/route.ts';
import { parameterObjects, rulesText, scopeText } from '../operation.ts';
import { whatToDo } from '../problems.ts';
import { keyParameters } from '../responses.ts';
import type { Components } from '../schemas/components.ts';
import { refOf } from '../schemas/json-schema.ts';
import { fieldsOf } from './fields.ts';
import { curlCode, type Html, html, inline, jsonCode, openAttribute, prose } from './html.ts';

/** The values that the sections of the page share. */
export type PageFacts = { publicUrl: string; schemas: Components };

/** One route: its description on the left, its samples on the right. */
export function routeSection(route: NamedRoute, facts: PageFacts): Html {
  return html`<section class="route" id="${route.id}" aria-labelledby="${route.id}-title">
<div class="about">
<h3 id="${route.id}-title"><a class="title-link" href="#${route.id}">${route.summary}</a></h3>
<p class="address"><span class="method ${route.method}">${route.method.toUpperCase()}</span> <code>${breakable(route.path)}</code></p>
${prose(route.description)}
${rulesLine(route)}
${accessLine(route)}
${parameters(route)}
${requestFields(route, facts.schemas)}
${answerFields(route, facts.schemas)}
<h4>Errors</h4>
${errorsOf(route)}
</div>
<div class="samples">
${requestSamples(route, facts.publicUrl)}
${answerSamples(route)}
</div>
</section>`;
}

/** A path may break before each slash, so that a long one fits a phone. */
function breakable(path: string): Html[] {
  return path.split(/(?=\/)/).map((part, at) => html`${at > 0 ? wordBreak : undefined}${part}`);
}

const wordBreak = html`<wbr>`;

function rulesLine(route: NamedRoute): Html | undefined {
  const text = rulesText(route);
  return text === '' ? undefined : prose(text);
}

function accessLine({ access }: NamedRoute): Html | undefined {
  const text = scopeText(access);
  return text === '' ? undefined : html`<p class="access">${inline(text)}</p>`;
}

function parameters({ repeatable, ...route }: NamedRoute): Html | undefined {
  const places = { path: 'in the path', query: 'in the query', header: 'header' };
  const rows = parameterObjects(route).map(
    ({ name, in: place, description }) =>
      html`<div><dt><code class="field-name">${name}</code> <span class="type">${places[place]}</span>${
        place === 'path' ? html` <span class="required">required</span>` : undefined
      }</dt><dd><p>${inline(description)}</p></dd></div>`,
  );
  if (repeatable) {
    rows.push(
      html`<div><dt><code class="field-name">Idempotency-Key</code> <span class="type">header</span></dt><dd><p>${keyText[repeatable]}</p></dd></div>`,
    );
  }
  return rows.length === 0 ? undefined : html`<h4>Parameters</h4><dl class="fields">${rows}</dl>`;
}

const keyText: Record<NonNullable<NamedRoute['repeatable']>, Html> = {
  kept_answer: html`Makes the request repeatable, so that nothing is done twice: see <a href="#idempotency">idempotency</a>.`,
  same_attempt: inline(keyParameters.AttemptKey.description),
};

function requestFields({ body }: NamedRoute, schemas: Components): Html | undefined {
  switch (body?.kind) {
    case 'json': {
      const leftOut = body.isOptional ? html`<p>It may be left out.</p>` : undefined;
      return html`<h4>Body</h4>${fieldsOf(refOf(body.schema), schemas)}${leftOut}`;
    }
    case 'anything':
      return html`<h4>Body</h4><p>${inline(body.description)}</p>`;
    case undefined:
      return undefined;
  }
}

function answerFields({ answers }: NamedRoute, schemas: Components): Html {
  return html`<h4>Answers</h4>${answers.map((answer) => answerOf(answer, schemas))}`;
}

function answerOf({ status, description, content }: Answer, schemas: Components): Html {
  const line = html`<p class="answer"><span class="code">${status}</span> ${inline(description)}${
    content.kind === 'text' ? html` <span class="type">${content.type}</span>` : undefined
  }</p>`;
  if (content.kind !== 'json') return line;
  return html`${line}<details class="more"><summary>Fields of the answer</summary>${fieldsOf(
    refOf(content.schema),
    schemas,
  )}</details>`;
}

function requestSamples(route: NamedRoute, publicUrl: string): Html {
  const examples = route.body?.kind === 'json' ? route.body.examples : [];
  if (examples.length === 0) return html`<h4>Request</h4>${curlCode(route, publicUrl, undefined)}`;
  return html`<h4>Request</h4>${samples(examples, `${route.id}-request`, ({ value }) => curlCode(route, publicUrl, value))}`;
}

function answerSamples({ id, answers }: NamedRoute): Html[] {
  return answers.flatMap(({ status, content }) => {
    const examples = content.kind === 'none' ? [] : (content.examples ?? []);
    if (examples.length === 0) return [];
    return [html`<h4>Answer ${status}</h4>${samples(examples, `${id}-${status}`, ({ value }) => jsonCode(value))}`];
  });
}

/** Samples. Of several, one is open at a time; a single one is always open. */
function samples(examples: readonly Example[], group: string, code: (example: Example) => Html): Html {
  const [only, ...others] = examples;
  if (only && others.length === 0) return code(only);
  return html`<div class="sample-group">${examples.map(
    (example, at) =>
      html`<details class="sample" name="${group}"${at === 0 ? openAttribute : undefined}><summary>${example.summary}</summary>${code(example)}</details>`,
  )}</div>`;
}

/** Codes that follow from a route's kind. The page describes them once for all routes. */
const everywhere = new Set<ProblemCode>([
  'invalid_json',
  'idempotency_key_invalid',
  'unauthorized',
  'missing_scope',
  'method_not_allowed',
  'in_progress',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'internal',
  'store_unavailable',
]);

/** The errors of a route: first its own, then the folded ones of many routes. */
function errorsOf(route: NamedRoute): Html {
  const codes = byStatus(problemsOf(route));
  const common = codes.filter((code) => everywhere.has(code));
  const own = codes.filter((code) => !everywhere.has(code));
  const folded = html`<details class="more"><summary>${common.length} errors that ${
    own.length > 0 ? 'most' : 'all'
  } routes have</summary>${table(common)}</details>`;
  return html`${own.length > 0 ? table(own) : undefined}${folded}`;
}

/** All error codes. */
export function allErrors(): Html {
  return table(byStatus(problemCodes));
}

function byStatus(codes: readonly ProblemCode[]): ProblemCode[] {
  return [...codes].sort((left, right) => problems[left].status - problems[right].status);
}

function table(codes: readonly ProblemCode[]): Html {
  const rows = codes.map(
    (code) =>
      html`<tr><td class="status">${problems[code].status}</td><th scope="row"><code class="error-code">${code}</code></th><td>${inline(
        whatToDo[code],
      )}</td></tr>`,
  );
  return html`<table class="errors"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">What to do</th></tr></thead><tbody>${rows}</tbody></table>`;
}
