import { z } from 'zod';
import { holdsCard } from '../../../shared/card-data/mask.ts';
import { sameAmount } from '../../../shared/gateway/amounts.ts';
import { references } from '../../../shared/gateway/batch.ts';
import { type Operation, operations } from '../../../shared/gateway/operations.ts';

/** The operations that can be asked for by a file. */
export const bulkNames = ['refund', 'capture', 'cancel', 'review'] as const;
export type BulkName = (typeof bulkNames)[number];

/** One item of a batch, as it is sent. */
export const item = z.record(z.string(), z.string());
export type Item = z.infer<typeof item>;

/** The column that holds the shop's own name of each item. */
export const REFERENCE = 'reference';

/** The columns that a file of results has beside those of the file. */
export const resultColumns = ['outcome', 'message', 'operation_id'] as const;

/** What is wrong with one cell. */
export type CellProblem = { column: string; message: string };

/** What a file of an operation holds: the fields of an item, by the gateway's names, and a reference. */
export type Layout = {
  name: BulkName;
  /** The field of the body that holds the items, and the most that one request may carry. */
  list: string;
  limit: number;
  columns: readonly string[];
  required: readonly string[];
  /** The amount that moves. */
  amount: 'amount' | 'refund_amount';
  /** Reads an item and its reference, undefined in a file without the column. Amounts come out with their currency's decimals. */
  read(
    cells: Readonly<Record<string, string>>,
    reference: string | undefined,
  ): { ok: true; item: Item } | { ok: false; problems: CellProblem[] };
};

/** The columns whose cells are free text, where a card number may stand by mistake; the others are identifiers and amounts. */
const freeText = new Set(['refund_reason', 'review_flag', REFERENCE]);

const referenceCell = references.unwrap().element;

/** The layout of an operation's files, from the operation table. */
export function layoutOf(name: BulkName): Layout {
  const { batch, lists }: Operation = operations[name];
  if (!batch) throw new TypeError(`${name} is no batch`);
  const { item: schema } = batch;
  const columns = Object.keys(schema.shape);
  return {
    name,
    list: batch.list,
    limit: lists[batch.list] ?? 1,
    columns,
    required: columns.filter((column) => !z.safeParse(schema.shape[column] ?? z.never(), undefined).success),
    amount: name === 'refund' ? 'refund_amount' : 'amount',
    read(cells, reference) {
      const problems = cardProblems(cells, reference);
      const named = reference === undefined ? undefined : referenceCell.safeParse(reference);
      problems.push(...(named?.error?.issues ?? []).map(({ message }) => ({ column: REFERENCE, message })));
      const parsed = schema.safeParse(cells);
      if (parsed.success && problems.length === 0) return { ok: true, item: inOrder(columns, item.parse(parsed.data)) };
      problems.push(...(parsed.error?.issues ?? []).map(({ path, message }) => ({ column: path.join('.'), message })));
      return { ok: false, problems };
    },
  };
}

function cardProblems(cells: Readonly<Record<string, string>>, reference: string | undefined): CellProblem[] {
  const all = Object.entries({ ...cells, ...(reference === undefined ? {} : { [REFERENCE]: reference }) });
  return all.flatMap(([column, cell]) =>
    freeText.has(column) && holdsCard(cell) ? [{ column, message: 'must not hold card data' }] : [],
  );
}

/** The same item is always written alike: its identity and its body depend on it. */
function inOrder(columns: readonly string[], values: Item): Item {
  return Object.fromEntries(
    columns.flatMap((column): [string, string][] => {
      const value = values[column];
      return value === undefined ? [] : [[column, value]];
    }),
  );
}

/** What an item moves, for people. */
export function valuesOf(item: Readonly<Record<string, unknown>>, { amount }: Layout): string {
  return [item[amount], item.currency, 'of', item.transaction_id].filter((word) => typeof word === 'string').join(' ');
}

/** Whether two items move the same money of the same payment. */
export function hasSameValues(left: Readonly<Record<string, unknown>>, right: Item): boolean {
  return ['transaction_id', 'currency', 'amount', 'refund_amount', 'review_flag'].every((field) => {
    const [a, b] = [left[field], right[field]];
    if (a === b) return true;
    return field.endsWith('amount') && typeof a === 'string' && b !== undefined && sameAmount(a, b);
  });
}
