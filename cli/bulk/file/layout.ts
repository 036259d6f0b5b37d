import { z } from 'zod';
import { holdsCard } from '../../../shared/card-data/mask.ts';
import { sameAmount } from '../../../shared/gateway/amounts.ts';
import { references } from '../../../shared/gateway/batch.ts';
import { type Operation, operations } from '../../../shared/gateway/operations.ts';
import { fieldMessage } from '../../../shared/messages/field-messages.ts';

/** The operations of the gateway that a file can request. */
const batchNames = ['refund', 'capture', 'cancel', 'review'] as const;
type BatchName = (typeof batchNames)[number];

/** The operations that a file can request: those of the gateway, and decisions of a person. */
export const bulkNames = [...batchNames, 'settle'] as const;
export type BulkName = (typeof bulkNames)[number];

/** One item of a batch, as it is sent. */
export const item = z.record(z.string(), z.string());
export type Item = z.infer<typeof item>;

/** The column that holds the shop's own name of each item. */
export const REFERENCE = 'reference';

/** The columns that a results file adds to those of the input file. */
export const resultColumns = ['outcome', 'message', 'operation_id'] as const;

/** An error in one cell. */
export type CellProblem = { column: string; message: string };

/** The columns of a file: the fields of an item, and a reference. */
type Columns = {
  /** The maximum number of items in one request. */
  limit: number;
  columns: readonly string[];
  required: readonly string[];
  /** The required columns that a file with `order_no` may leave out. */
  fromOrder: readonly string[];
  /** A file needs at least one of these columns. */
  oneOf: readonly string[];
  /** Reads an item. `reference` is undefined in a file without that column. Amounts get the decimals of their currency. */
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

/** The columns of free text, which may contain a card number by mistake. The other columns are identifiers and amounts. */
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
    // A capture may be partial, so its file must state the amount.
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

/** The errors of the reference and of texts that contain a card number. */
export function textProblems(cells: Readonly<Record<string, string>>, reference: string | undefined): CellProblem[] {
  const all = Object.entries({ ...cells, ...(reference === undefined ? {} : { [REFERENCE]: reference }) });
  const cards = all.flatMap(([column, cell]) =>
    freeText.has(column) && holdsCard(cell) ? [{ column, message: 'must not hold card data' }] : [],
  );
  const named = reference === undefined ? undefined : referenceCell.safeParse(reference, { error: fieldMessage });
  return [...cards, ...(named?.error?.issues ?? []).map(({ message }) => ({ column: REFERENCE, message }))];
}

/** Returns the values in the order of the columns. The identity and the body of an item depend on this order. */
export function inOrder(columns: readonly string[], values: Item): Item {
  return Object.fromEntries(
    columns.flatMap((column): [string, string][] => {
      const value = values[column];
      return value === undefined ? [] : [[column, value]];
    }),
  );
}

/** Describes an item for people: the amount that it moves, or its decision. */
export function valuesOf(item: Readonly<Record<string, unknown>>, layout: Layout): string {
  const words =
    layout.name === 'settle'
      ? [item.decision, 'for', item.order_no ?? item.operation_id]
      : [item[layout.amount], item.currency, 'of', item.transaction_id];
  return words.filter((word) => typeof word === 'string').join(' ');
}

/** Two items that move the same money of the same payment have equal values in these fields. */
const values = ['transaction_id', 'currency', 'amount', 'refund_amount', 'review_flag'];

/** Two equal decisions have equal values in these fields. */
const decisionValues = [...values, 'order_no', 'operation_id', 'decision', 'items'];

/** Whether two items move the same money of the same payment, or decide the same. */
export function hasSameValues(left: Readonly<Record<string, unknown>>, right: Item): boolean {
  return (right.decision === undefined ? values : decisionValues).every((field) => {
    const [a, b] = [left[field], right[field]];
    if (a === b) return true;
    return field.endsWith('amount') && typeof a === 'string' && b !== undefined && sameAmount(a, b);
  });
}
