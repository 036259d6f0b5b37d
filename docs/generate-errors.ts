import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whatToDo } from '../relay/openapi/problems.ts';
import { type ProblemCode, problems } from '../shared/checkout/problem-codes.ts';
import { withPart } from './generate.ts';

/** How the generated part is written anew. */
export const COMMAND = 'node docs/generate-errors.ts';

const DOCUMENT = join(import.meta.dirname, 'errors.md');

/** docs/errors.md as it is. */
export function errorsPage(): string {
  return readFileSync(DOCUMENT, 'utf8');
}

/** The document with its generated part as the relay's table of problems has it. Throws TypeError if it has no place for it. */
export function withProblems(document: string): string {
  return withPart(document, 'problems', table());
}

/** One row for each problem of the HTTP API, by status. */
function table(): string[] {
  const codes = Object.keys(problems).filter((code): code is ProblemCode => code in problems);
  const rows = codes
    .toSorted((a, b) => problems[a].status - problems[b].status)
    .map((code) => `| \`${code}\` | ${problems[code].status} | ${problems[code].title} | ${whatToDo[code]} |`);
  return ['| `code` | status | meaning | what to do |', '|---|---|---|---|', ...rows];
}

if (import.meta.main) writeFileSync(DOCUMENT, withProblems(errorsPage()));
