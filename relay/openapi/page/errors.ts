import { type ProblemCode, problems } from '../../../shared/checkout/problem.ts';
import { type NamedRoute, problemsOf } from '../../routes/route.ts';
import { problemCodes, whatToDo } from '../problems.ts';
import { type Html, html, inline } from './html.ts';

/** Codes that follow from a route's kind, told once for all routes. */
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

/** The errors of a route: its own first, those that many routes have folded away. */
export function errorsOf(route: NamedRoute): Html {
  const codes = byStatus(problemsOf(route));
  const common = codes.filter((code) => everywhere.has(code));
  const own = codes.filter((code) => !everywhere.has(code));
  const folded = html`<details class="more"><summary>${common.length} errors that ${
    own.length > 0 ? 'most' : 'all'
  } routes have</summary>${table(common)}</details>`;
  return html`${own.length > 0 ? table(own) : undefined}${folded}`;
}

/** Every error code there is. */
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
