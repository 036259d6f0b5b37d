import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Transition, transitions } from '../relay/payments/transitions.ts';
import { sessionStatuses } from '../shared/checkout/status.ts';

/** How the generated part is written anew. */
export const COMMAND = 'node docs/generate-architecture.ts';

const DOCUMENT = join(import.meta.dirname, 'architecture.md');
const [BEGIN, END] = ['<!-- transitions -->', '<!-- /transitions -->'];

/** docs/architecture.md as it is. */
export function architecture(): string {
  return readFileSync(DOCUMENT, 'utf8');
}

/** The document with its generated part as the table of transitions has it. Throws TypeError where it has no place for it. */
export function withTransitions(document: string, edges: readonly Transition[] = transitions): string {
  const [start, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (start < 0 || end < start) throw new TypeError(`docs/architecture.md has no ${BEGIN} … ${END}`);
  const generated = [...diagram(edges), '', ...table(edges)].join('\n');
  return `${document.slice(0, start + BEGIN.length)}\n\n${generated}\n\n${document.slice(end)}`;
}

/** More causes than so many do not fit beside an arrow: the table has them. */
const MAX_CAUSES = 3;

/** One arrow for each pair of states, with its causes. */
function diagram(edges: readonly Transition[]): string[] {
  const arrows = grouped(edges, ({ from, to }) => `${from} --> ${to}`).map(([arrow, causes]) => {
    const label = causes.length > MAX_CAUSES ? `${causes.length} causes` : causes.join('<br>');
    return `  ${arrow}: ${label}`;
  });
  return ['```mermaid', 'stateDiagram-v2', '  [*] --> open', ...arrows, '```'];
}

/** One row for each pair of states and what comes of the move, with all its causes. */
function table(edges: readonly Transition[]): string[] {
  const rows = grouped(edges, ({ from, to, webhook, lock }) => [from, to, webhook ?? '', lock].join(' ')).map(
    ([key, causes]) => {
      const [from = '', to = '', webhook = '', lock = ''] = key.split(' ');
      const told = webhook === '' ? 'none' : code(webhook);
      return `| ${code(from)} | ${causes.map(code).join(', ')} | ${code(to)} | ${told} | ${lock} |`;
    },
  );
  return ['| from | cause | to | webhook | order |', '|---|---|---|---|---|', ...rows];
}

/** The causes of the edges that have the same key, in the order of a session's states. */
function grouped(edges: readonly Transition[], keyOf: (edge: Transition) => string): [key: string, causes: string[]][] {
  const place = ({ from }: Transition): number => sessionStatuses.indexOf(from);
  const inOrder = edges.toSorted(
    (a, b) => place(a) - place(b) || sessionStatuses.indexOf(a.to) - sessionStatuses.indexOf(b.to),
  );
  return [...Map.groupBy(inOrder, keyOf)].map(([key, held]) => [key, held.map(({ cause }) => cause)]);
}

function code(text: string): string {
  return `\`${text}\``;
}

if (import.meta.main) writeFileSync(DOCUMENT, withTransitions(architecture()));
