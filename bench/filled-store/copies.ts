import type { StoredRow, StoredRows, Template, Value } from './template.ts';

/** The number of copies (`blocks`), and the days until `now` over which they are spread. */
export type Span = { blocks: number; days: number; now: number };

/** Every fiftieth copy also has the orders that wait for something. */
const WAITING_EVERY = 50;

/** Every fiftieth copy has the e-mail that searches find. The others share this number of other shoppers. */
const KNOWN_EVERY = 50;
const SHOPPERS = 300_000;

const DAY_MS = 86_400_000;

/** A number above all order numbers of the template. */
const ORDERS = 200;

/** Columns with consecutive numbers, and the sequence that each belongs to. */
const sequences: Readonly<Record<string, string>> = {
  'events.seq': 'events',
  'events.place': 'events',
  'audit.seq': 'audit',
  'audit_terms.seq': 'audit',
  'listed_orders.id': 'orders',
  'order_terms.order_id': 'orders',
};

/** These times become a year from now, so that the measured relay has no other work. */
const DUE = new Set(['next_query_at', 'next_try_at', 'next_look_at', 'due_at', 'leased_until']);
const DUE_MS = 365 * DAY_MS;

/** The parts of a text that differ in every copy: ids, order numbers, transactions, contracts, payouts, e-mails and times. */
const TOKEN =
  /(?:cs|at|dv|req|op|msg)_[0-9a-z]{8}(?=[\w-]{24})|C\d{8}|(?<!\d)\d{20}(?!\d)|R[0-9a-f]{12}|[0-9a-f]{8}(?=-[0-9a-f]{4}-4[0-9a-f]{3}-)|email [\w-]{22}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** One copy: its number, and by how many milliseconds it is later than the template. */
type Copy = { number: number; shift: number; waits: boolean };

/** The rows of one table in one copy. */
type TableCopy = { table: string; columns: readonly string[]; rows: Value[][] };

/** The copies of a template, one after the other: each has a hundred completed orders, some also those that wait. */
export function* copiesOf(template: Template, { blocks, days, now }: Span): Generator<TableCopy[]> {
  const copyTables = createCopier(template, now + DUE_MS);
  const last = now - template.since - 60_000;
  for (let number = 0; number < blocks; number++) {
    const shift = last - Math.round((days * DAY_MS * (blocks - 1 - number)) / blocks);
    yield copyTables({ number, shift, waits: number % WAITING_EVERY === WAITING_EVERY - 1 });
  }
}

/** Gives the value of a cell in a copy. */
type Cell = (copy: Copy) => Value;

/** Prepares the template once, so that a copy only has to fill in what differs. */
function createCopier({ usual, waiting }: Template, due: number): (copy: Copy) => TableCopy[] {
  const tokens = createTokens();
  const steps = stepsOf([usual, waiting]);
  const dueAt = new Date(due).toISOString();
  const cellOf = (table: string, column: string, row: StoredRow): Cell => {
    const value = row[column] ?? null;
    const sequence = sequences[`${table}.${column}`];
    if (value === null || typeof value === 'boolean') return () => value;
    if (sequence !== undefined) {
      const step = steps.get(sequence) ?? 0;
      return ({ number }) => number * step + Number(value);
    }
    if (DUE.has(column) || (column === 'expires_at' && row.status === 'open')) return () => dueAt;
    // Milliseconds since 1970. PostgreSQL returns large numbers as texts.
    if (/^1[6-9]\d{11}$/.test(String(value))) return ({ shift }) => Number(value) + shift;
    return typeof value === 'number' ? () => value : tokens.text(value);
  };
  const compiled = (rows: StoredRows) =>
    [...rows].flatMap(([table, all]) => {
      const columns = Object.keys(all[0] ?? {});
      const cells = all.map((row) => columns.map((column) => cellOf(table, column, row)));
      return all.length === 0 ? [] : [{ table, columns, cells }];
    });
  const [always, sometimes] = [compiled(usual), compiled(waiting)];
  return (copy) => {
    tokens.begin(copy);
    const wanted = copy.waits ? [...always, ...sometimes] : always;
    return wanted.map(({ table, columns, cells }) => ({
      table,
      columns,
      rows: cells.map((row) => row.map((cell) => cell(copy))),
    }));
  };
}

/** For each sequence, how many numbers a copy uses. */
function stepsOf(all: readonly StoredRows[]): Map<string, number> {
  const steps = new Map<string, number>();
  for (const [name, sequence] of Object.entries(sequences)) {
    const [table = '', column = ''] = name.split('.');
    const used = all.flatMap((rows) => (rows.get(table) ?? []).map((row) => Number(row[column] ?? 0)));
    steps.set(sequence, Math.max(steps.get(sequence) ?? 0, ...used.map((number) => number + 1)));
  }
  return steps;
}

/** Texts with tokens: the value of each token is computed once for each copy. */
function createTokens() {
  const places = new Map<string, number>();
  const written: string[] = [];
  const placeOf = (token: string): number => {
    const place = places.get(token) ?? places.size;
    places.set(token, place);
    return place;
  };
  return {
    begin(copy: Copy): void {
      for (const [token, place] of places) written[place] = tokenIn(token, copy);
    },
    text(value: string): Cell {
      const between = value.split(TOKEN);
      const found = [...value.matchAll(TOKEN)].map(([token]) => placeOf(token));
      if (found.length === 0) return () => value;
      return () => {
        let text = between[0] ?? '';
        for (let at = 0; at < found.length; at++) text += (written[found[at] ?? 0] ?? '') + (between[at + 1] ?? '');
        return text;
      };
    },
  };
}

/** The value of a token in a copy. */
function tokenIn(token: string, { number, shift }: Copy): string {
  if (/^\w+_/.test(token)) {
    const moment = Number.parseInt(token.slice(-8), 36) + shift;
    return token.slice(0, -8) + moment.toString(36).padStart(8, '0');
  }
  if (token.startsWith('email ')) {
    if (number % KNOWN_EVERY === 0) return token;
    const other = (number * 7919 + Number(Buffer.from(token).readUInt16BE(6))) % SHOPPERS;
    return `email ${String(other).padStart(22, '0')}`;
  }
  if (token.startsWith('C')) return orderNo(token, number);
  if (token.startsWith('R')) return `R${number.toString(16).padStart(6, '0')}${token.slice(7)}`;
  if (token.includes('T')) return new Date(Date.parse(token) + shift).toISOString();
  if (token.length === 8) return number.toString(16).padStart(8, '0');
  return String(number).padStart(6, '0') + token.slice(6);
}

/** The number that an order of the template has in a copy. */
export function orderNo(token: string, copy: number): string {
  return `C${String(copy * ORDERS + Number(token.slice(1))).padStart(8, '0')}`;
}

/** The number of the last copy that has orders that wait. */
export function lastWaiting(blocks: number): number {
  return Math.floor(blocks / WAITING_EVERY) * WAITING_EVERY - 1;
}
