import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whatToDo } from '../relay/openapi/problems.ts';
import { type ProblemCode, problems } from '../shared/checkout/problem.ts';

/** How the generated part is written anew. */
export const COMMAND = 'node docs/generate-errors.ts';

const DOCUMENT = join(import.meta.dirname, 'errors.md');
const [BEGIN, END] = ['<!-- problems -->', '<!-- /problems -->'];

/** docs/errors.md as it is. */
export function errorsPage(): string {
  return readFileSync(DOCUMENT, 'utf8');
}

/** The document with its generated part as the relay's table of problems has it. Throws TypeError where it has no place for it. */
export function withProblems(document: string): string {
  const [start, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (start < 0 || end < start) throw new TypeError(`docs/errors.md has no ${BEGIN} … ${END}`);
  return `${document.slice(0, start + BEGIN.length)}\n\n${table()}\n\n${document.slice(end)}`;
}

/** One row for each problem of the HTTP API, by status. */
function table(): string {
  const codes = Object.keys(problems).filter((code): code is ProblemCode => code in problems);
  const rows = codes
    .toSorted((a, b) => problems[a].status - problems[b].status)
    .map((code) => `| \`${code}\` | ${problems[code].status} | ${problems[code].title} | ${whatToDo[code]} |`);
  return ['| `code` | status | meaning | what to do |', '|---|---|---|---|', ...rows].join('\n');
}

if (import.meta.main) writeFileSync(DOCUMENT, withProblems(errorsPage()));
