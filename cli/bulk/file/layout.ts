import { z } from 'zod';
import { holdsCard } from '../../../shared/card-data/mask.ts';
import { sameAmount } from '../../../shared/gateway/amounts.ts';
import { references } from '../../../shared/gateway/batch.ts';
import { type Operation, operations } from '../../../shared/gateway/operations.ts';
import { fieldMessage } from '../../../shared/messages/field-messages.ts';

/** The operations of the gateway that can be asked for by a file. */
const batchNames = ['refund', 'capture', 'cancel', 'review'] as const;
type BatchName = (typeof batchNames)[number];

/** What can be asked for by a file. */
export const bulkNames = [...batchNames, 'settle'] as const;
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

/** What a file holds: the fields of an item, and a reference. */
type Columns = {
  /** The most items that one request may carry. */
  limit: number;
  columns: readonly string[];
  required: readonly string[];
  /** The required columns that a file with `order_no` may leave out. */
  fromOrder: readonly string[];
  /** A file needs at least one of these columns. */
  oneOf: readonly string[];
  /** Reads an item and its reference, undefined in a file without the column. Amounts come out with their currency's decimals. */
  read(
    cells: Readonly<Record<string, string>>,
    reference: string | undefined,
  ): { ok: true; item: Item } | { ok: false; problems: CellProblem[] };
};

/** The file of an operation of the gateway, by its names. */
export type BatchLayout = Columns & {
  name: BatchName;
  /** The field of the body that holds the items. */
  list: string;
  /** The amount that moves. */
  amount: 'amount' | 'refund_amount';
};

/** The file of a person's decisions about orders and operations. */
export type SettleLayout = Columns & { name: 'settle' };

export type Layout = BatchLayout | SettleLayout;

/** The columns whose cells are free text, where a card number may stand by mistake; the others are identifiers and amounts. */
const freeText = new Set(['refund_reason', 'review_flag', 'note', REFERENCE]);

const referenceCell = references.unwrap().element;

/** The layout of an operation's files, from the operation table. */
export function batchLayout(name: BatchName): BatchLayout {
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
    // What a capture takes is for the file to say.
    fromOrder: ['transaction_id', 'currency', ...(name === 'capture' ? [] : ['amount'])],
    oneOf: [],
    amount: name === 'refund' ? 'refund_amount' : 'amount',
    read(cells, reference) {
      const problems = textProblems(cells, reference);
      const parsed = schema.safeParse(cells, { error: fieldMessage });
      if (parsed.success && problems.length === 0) return { ok: true, item: inOrder(columns, item.parse(parsed.data)) };
      problems.push(...(parsed.error?.issues ?? []).map(({ path, message }) => ({ column: path.join('.'), message })));
      return { ok: false, problems };
    },
  };
}

/** What is wrong with the reference, and with texts that hold a card number. */
export function textProblems(cells: Readonly<Record<string, string>>, reference: string | undefined): CellProblem[] {
  const all = Object.entries({ ...cells, ...(reference === undefined ? {} : { [REFERENCE]: reference }) });
  const cards = all.flatMap(([column, cell]) =>
    freeText.has(column) && holdsCard(cell) ? [{ column, message: 'must not hold card data' }] : [],
  );
  const named = reference === undefined ? undefined : referenceCell.safeParse(reference, { error: fieldMessage });
  return [...cards, ...(named?.error?.issues ?? []).map(({ message }) => ({ column: REFERENCE, message }))];
}

/** The same item is always written alike: its identity and its body depend on it. */
export function inOrder(columns: readonly string[], values: Item): Item {
  return Object.fromEntries(
    columns.flatMap((column): [string, string][] => {
      const value = values[column];
      return value === undefined ? [] : [[column, value]];
    }),
  );
}

/** What an item moves or decides, for people. */
export function valuesOf(item: Readonly<Record<string, unknown>>, layout: Layout): string {
  const words =
    layout.name === 'settle'
      ? [item.decision, 'for', item.order_no ?? item.operation_id]
      : [item[layout.amount], item.currency, 'of', item.transaction_id];
  return words.filter((word) => typeof word === 'string').join(' ');
}

/** What two items have alike that move the same money of the same payment. */
const values = ['transaction_id', 'currency', 'amount', 'refund_amount', 'review_flag'];

/** What two decisions have alike that decide the same. */
const decisionValues = [...values, 'order_no', 'operation_id', 'decision', 'items'];

/** Whether two items move the same money of the same payment, or decide the same. */
export function hasSameValues(left: Readonly<Record<string, unknown>>, right: Item): boolean {
  return (right.decision === undefined ? values : decisionValues).every((field) => {
    const [a, b] = [left[field], right[field]];
    if (a === b) return true;
    return field.endsWith('amount') && typeof a === 'string' && b !== undefined && sameAmount(a, b);
  });
}
