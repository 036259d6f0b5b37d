import { stringify } from 'csv-stringify/sync';
import { differenceClasses } from '../../shared/api/reconciliation.ts';
import type { Column } from '../base/output.ts';
import type { Difference, Finding, Side, UnknownReason } from './compare/sides.ts';

/** How many of each class were found. */
export type Counts = Map<Finding['class'], number>;

/** The columns of the table. */
export const columns: readonly Column<Finding>[] = [
  { name: 'CLASS', cell: (finding) => finding.class },
  { name: 'ORDER', cell: ({ order_no }) => order_no },
  { name: 'TRANSACTION', cell: (finding) => ('transaction_id' in finding ? finding.transaction_id : undefined) },
  { name: 'HERE', cell: (finding) => sideText(hereIn(finding)) },
  { name: 'AT THE GATEWAY', cell: (finding) => sideText(thereIn(finding)) },
  { name: 'WHY', cell: why },
];

function why(finding: Finding): string | undefined {
  if (finding.class === 'unknown') return REASONS[finding.reason];
  if (finding.class !== 'missing_here') return undefined;
  return finding.known ? 'the relay has the order without this payment' : 'the relay has no such order';
}

const REASONS: Record<UnknownReason, string> = {
  in_flight: 'it was sent minutes ago',
  undecided_here: 'the relay still asks the gateway',
  undecided_there: 'the gateway has not decided, or by a code that the profile does not list',
  refund_undecided: 'the outcome of a refund is unknown',
  too_long: 'its history is too long to compare its refunds',
  cannot_be_asked: 'the gateway cannot be asked about it',
};

function hereIn(finding: Finding): Side | undefined {
  return 'here' in finding ? finding.here : undefined;
}

function thereIn(finding: Finding): Side | undefined {
  return 'there' in finding ? finding.there : undefined;
}

function sideText(side: Side | undefined): string | undefined {
  return side && `${side.status} ${side.amount} ${side.currency}`;
}

const CSV_COLUMNS = [
  ...['class', 'order_no', 'transaction_id', 'refund_reference_id', 'status_here', 'amount_here', 'currency_here'],
  ...['status_there', 'amount_there', 'currency_there', 'reason'],
];

/** The first line of the CSV. */
export const csvHead: string = csvLine(CSV_COLUMNS);

/** A finding as a line of CSV. */
export function csvOf(finding: Finding): string {
  const [here, there] = [hereIn(finding), thereIn(finding)];
  return csvLine([
    ...[finding.class, finding.order_no, 'transaction_id' in finding ? finding.transaction_id : ''],
    'refund_reference_id' in finding ? finding.refund_reference_id : '',
    ...[here?.status ?? '', here?.amount ?? '', here?.currency ?? ''],
    ...[there?.status ?? '', there?.amount ?? '', there?.currency ?? ''],
    reasonOf(finding),
  ]);
}

function reasonOf(finding: Finding): string {
  if (finding.class === 'unknown') return finding.reason;
  return finding.class === 'missing_here' && !finding.known ? 'order_unknown_here' : '';
}

/** A line of CSV (RFC 4180) of which no spreadsheet takes a value for a formula. */
function csvLine(values: readonly string[]): string {
  const safe = values.map((value) => (/^\s*[=+\-@|%]|^[\t\r\n]/.test(value) ? `'${value}` : value));
  return stringify([safe], { record_delimiter: 'windows' });
}

/** What the comparison came to: a line a class that was found, each with what to do about it. */
export function summaryLines(orders: number, uncompared: number, counts: Counts): string[] {
  const differences = differenceClasses.flatMap((name) => lineOf(name, counts.get(name), ADVICE[name]));
  const unknown = lineOf('unknown', counts.get('unknown'), 'no differences yet: compare again later');
  const isClean = differences.length === 0 && uncompared === 0;
  return [
    `${ordersText(orders)} compared.${isClean ? ' No differences.' : ''}`,
    ...differences,
    ...unknown,
    ...(uncompared > 0 ? [`${ordersText(uncompared)} could not be compared: the table says why.`] : []),
  ];
}

function ordersText(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}

function lineOf(name: Finding['class'], count: number | undefined, advice: string): string[] {
  return count === undefined ? [] : [`${name.padEnd(22)}${String(count).padStart(6)}  ${advice}`];
}

const ADVICE: Record<Difference['class'], string> = {
  missing_here: 'no query makes an order: ship or refund by hand; --fix, where the order is known',
  missing_there: 'do not ship: ask the gateway’s operator about the transaction',
  amount: 'look into the gateway’s portal; --fix, where the order is unpaid here',
  currency: 'look into the gateway’s portal; --fix, where the order is unpaid here',
  status: '--fix has the relay ask the gateway again',
  second_payment: '--fix tells the relay; refund one of the two',
  refund_missing_here: 'refunded in the portal? Book it in the shop, do not refund again',
  refund_missing_there: 'ask the gateway’s operator about the transaction',
};
