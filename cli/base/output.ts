import type { Failure } from './errors.ts';
import { type Io, styled } from './io.ts';

/** A column of a list: its heading, and the text of a row's cell. */
export type Column<Row> = { name: string; cell(row: Row): string | undefined };

/** Prints results: JSON lines with `--json`, tables on a terminal, and otherwise tab-separated lines. */
export type Output = {
  isJson: boolean;
  /** Prints rows page by page as they arrive, after their headings. */
  rows<Row extends object>(rows: AsyncIterable<Row> | Iterable<Row>, columns: readonly Column<Row>[]): Promise<void>;
  /** Prints one result: unchanged with `--json`, otherwise a line for each field that has a value. */
  record(result: object, fields: Readonly<Record<string, string | undefined>>): void;
  /** A remark for people, beside the results. Not printed with `--json`. */
  say(text: string): void;
  failure(failure: Failure): void;
};

/** The number of rows in one table on a terminal. The column widths are computed from these rows. */
const ROWS_AT_ONCE = 100;

/** Makes the output of one command. */
export function createOutput(io: Io, isJson: boolean): Output {
  const { out, err } = io;
  const line = (text: string) => out.write(`${text}\n`);
  return {
    isJson,
    async rows(rows, columns) {
      if (isJson) {
        for await (const row of rows) {
          line(JSON.stringify(row));
          await out.drained();
        }
        return;
      }
      if (out.isTerminal) return tables(io, rows, columns);
      const heading = columns.map(({ name }) => name).join('\t');
      let isFirst = true;
      for await (const row of rows) {
        // Not before the first row, so that a list which fails prints nothing.
        if (isFirst) line(heading);
        isFirst = false;
        line(columns.map(({ cell }) => plain(cell(row) ?? '')).join('\t'));
        await out.drained();
      }
      if (!isFirst) return;
      line(heading);
      await out.drained();
    },
    record(result, fields) {
      if (isJson) return line(JSON.stringify(result));
      const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
      const width = Math.max(...given.map(([name]) => name.length));
      for (const [name, value] of given) {
        line(`${styled(io, out, 'dim', name.padEnd(width))}  ${plain(value)}`);
      }
    },
    say(text) {
      if (!isJson) err.write(`${text}\n`);
    },
    failure(failure) {
      if (isJson) return err.write(`${JSON.stringify({ error: failure })}\n`);
      err.write(`${styled(io, err, 'red', 'Error')} ${plain(failure.message)} (${failure.code})\n`);
      for (const { path, message } of failure.errors ?? []) err.write(`  ${plain(path)}: ${plain(message)}\n`);
      if (failure.hint !== undefined) err.write(`${plain(failure.hint)}\n`);
      if (failure.request_id !== undefined) err.write(`Request: ${failure.request_id}\n`);
    },
  };
}

async function tables<Row extends object>(
  io: Io,
  rows: AsyncIterable<Row> | Iterable<Row>,
  columns: readonly Column<Row>[],
): Promise<void> {
  let held: string[][] = [];
  const { default: Table } = await import('cli-table3');
  const print = () => {
    const table = new Table({
      head: columns.map(({ name }) => styled(io, io.out, 'bold', name)),
      style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
      chars: NO_BORDERS,
    });
    table.push(...held);
    io.out.write(`${table.toString()}\n`);
    held = [];
  };
  let isEmpty = true;
  for await (const row of rows) {
    isEmpty = false;
    held.push(columns.map(({ cell }) => plain(cell(row) ?? '')));
    if (held.length === ROWS_AT_ONCE) print();
  }
  if (held.length > 0) print();
  if (isEmpty) io.err.write('Nothing found.\n');
}

const NO_BORDERS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '' },
  ...{ 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '' },
};

/** Untrusted text, without control characters and line breaks. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
