import { open, rename, stat } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { type Client, TurnpikeError } from '../../client/index.ts';
import {
  difference,
  differenceClasses,
  MAX_DIFFERENCES,
  type ReportedDifference,
} from '../../shared/api/reconciliation.ts';
import { CliError, codeOf, EXIT, failureOf, UsageError } from '../base/errors.ts';
import type { Column } from '../base/output.ts';
import { type Difference, type Finding, isDifference, type Side, type UnknownReason } from './compare/records.ts';
import type { Compared } from './compare-period.ts';

/** The number of findings of each class. */
export type Counts = Map<Finding['class'], number>;

/** The columns of the table. */
export const columns: readonly Column<Finding>[] = [
  { name: 'CLASS', cell: (finding) => finding.class },
  { name: 'ORDER', cell: ({ order_no }) => order_no },
  { name: 'TRANSACTION', cell: (finding) => factsOf(finding).transaction_id },
  { name: 'HERE', cell: (finding) => sideText(factsOf(finding).here) },
  { name: 'AT THE GATEWAY', cell: (finding) => sideText(factsOf(finding).there) },
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

/** The facts of a difference. */
function factsOf(finding: Finding): Partial<Difference> {
  return isDifference(finding) ? finding : {};
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
  const { transaction_id = '', refund_reference_id = '', here, there } = factsOf(finding);
  return csvLine([
    ...[finding.class, finding.order_no, transaction_id, refund_reference_id],
    ...[here?.status ?? '', here?.amount ?? '', here?.currency ?? ''],
    ...[there?.status ?? '', there?.amount ?? '', there?.currency ?? ''],
    reasonOf(finding),
  ]);
}

function reasonOf(finding: Finding): string {
  if (finding.class === 'unknown') return finding.reason;
  return finding.class === 'missing_here' && !finding.known ? 'order_unknown_here' : '';
}

/** A line of CSV (RFC 4180) whose values no spreadsheet reads as formulas. */
function csvLine(values: readonly string[]): string {
  const safe = values.map((value) => (/^\s*[=+\-@|%]|^[\t\r\n]/.test(value) ? `'${value}` : value));
  return stringify([safe], { record_delimiter: 'windows' });
}

/** The summary: one line for each class with findings, with the advice. */
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
  missing_here: 'if the relay does not have the order: ship or refund it manually; otherwise --fix',
  missing_there: 'do not ship: ask the gateway’s operator about the transaction',
  amount: 'look into the gateway’s portal; --fix, where the order is unpaid here',
  currency: 'look into the gateway’s portal; --fix, where the order is unpaid here',
  status: '--fix has the relay ask the gateway again',
  held: 'do not ship; --fix has the relay read the gateway’s record',
  charged_back: 'do not ship; --fix has the relay read the gateway’s record',
  cancelled: 'do not ship; --fix has the relay read the gateway’s record',
  refunded: '--fix has the relay read the gateway’s record',
  second_payment: '--fix updates the relay; refund one of the two',
  refund_missing_here: 'refunded in the portal? Book it in the shop, do not refund again',
  refund_missing_there: 'ask the gateway’s operator about the transaction',
};

/** A file that is written line by line, and gets its name only when it is complete. Write errors become CliError. */
type CsvFile = {
  write(line: string): Promise<void>;
  finish(): Promise<void>;
  /** An incomplete file stays, under the name with `.part`. */
  abandon(): Promise<void>;
};

/** Begins a file. Throws UsageError if it cannot be written. */
export async function beginCsv(path: string, head: string): Promise<CsvFile> {
  // A device or a pipe would be replaced by a file.
  const isOther = await stat(path).then(
    (found) => !found.isFile(),
    () => false,
  );
  if (isOther)
    throw new UsageError(
      `${path} is no regular file.`,
      'Give another one with --csv. Without it, all goes to the standard output.',
    );
  const part = `${path}.part`;
  const file = await open(part, 'w').catch((error: unknown) => {
    throw new UsageError(`Cannot write ${part} (${codeOf(error)}).`);
  });
  const written = <Result>(writing: Promise<Result>): Promise<Result> =>
    writing.catch((error: unknown) => {
      throw new CliError('csv_not_written', `${path} cannot be written (${codeOf(error)}).`, {
        exitCode: EXIT.unknown,
      });
    });
  await written(file.write(head));
  return {
    write: async (line) => void (await written(file.write(line))),
    finish: async () => {
      await written(file.close());
      await written(rename(part, path));
    },
    abandon: () => file.close(),
  };
}

/** The result of a comparison. Times are in milliseconds. */
type Compare = {
  from: number;
  to: number;
  orders: number;
  uncompared: number;
  differing: Iterable<Compared>;
};

/** Reports the result of a comparison to the relay. Returns the fault if that fails. Never throws TurnpikeError. */
export async function sendReport(client: Client, compared: Compare): Promise<string | undefined> {
  const { from, to, orders, uncompared, differing } = compared;
  const differences = [...differing].flatMap(({ findings }) => findings.filter(isDifference));
  try {
    await client.reconciliations.report({
      ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString(), orders, uncompared },
      total: differences.length,
      differences: differences.flatMap(reported).slice(0, MAX_DIFFERENCES),
    });
    return undefined;
  } catch (error) {
    if (error instanceof TurnpikeError) return failureOf(error).failure.message;
    throw error;
  }
}

/** A finding in the form that the relay accepts; none if the gateway's names do not fit it. */
function reported({ transaction_id, ...found }: Difference): ReportedDifference[] {
  const { data } = difference.safeParse({ ...found, ...(transaction_id ? { transaction_id } : {}) });
  return data ? [data] : [];
}
