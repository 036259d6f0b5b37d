import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StatusRule, statusRules } from '../relay/payments/ledger/ledger.ts';
import { type OrderStatusRule, orderStatusRules } from '../relay/payments/ledger/order-status.ts';
import { type Transition, transitions } from '../relay/payments/transitions.ts';
import { sessionStatuses } from '../shared/checkout/status.ts';

/** How the generated parts are written anew. */
export const COMMAND = 'node docs/generate.ts';

/** The pages with a generated part. */
type Page = 'architecture' | 'orders';

const fileOf = (page: Page): string => join(import.meta.dirname, `${page}.md`);

/** A page of the documentation as it is. */
export function pageText(page: Page): string {
  return readFileSync(fileOf(page), 'utf8');
}

/** docs/architecture.md with its generated part as the table of transitions has it. Throws TypeError if it has no place for it. */
export function withTransitions(document: string, edges: readonly Transition[] = transitions): string {
  return withPart(document, 'transitions', [...diagram(edges), '', ...table(edges)]);
}

/** docs/orders.md with its generated parts as the rules of the ledger have them. Throws TypeError if it has no place for one. */
export function withStatuses(
  document: string,
  ofPayments: readonly StatusRule[] = statusRules,
  ofOrders: readonly OrderStatusRule[] = orderStatusRules,
): string {
  const head = ['| status | when |', '|---|---|'];
  const payments = ofPayments.map(({ status, when }) => `| ${code(status)} | ${when} |`);
  const orders = ofOrders.map(({ statuses, when }) => `| ${statuses.map(code).join(', ')} | ${when} |`);
  const withPayments = withPart(document, 'payment statuses', [...head, ...payments]);
  return withPart(withPayments, 'order statuses', [...head, ...orders]);
}

/** A page with these lines between the marks of a part. Throws TypeError if it has no place for them. */
export function withPart(document: string, name: string, lines: readonly string[]): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new TypeError(`the page has no ${begin} … ${end}`);
  return `${document.slice(0, from + begin.length)}\n\n${lines.join('\n')}\n\n${document.slice(to)}`;
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
      const sent = webhook === '' ? 'none' : code(webhook);
      return `| ${code(from)} | ${causes.map(code).join(', ')} | ${code(to)} | ${sent} | ${lock} |`;
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

if (import.meta.main) {
  writeFileSync(fileOf('architecture'), withTransitions(pageText('architecture')));
  writeFileSync(fileOf('orders'), withStatuses(pageText('orders')));
}
