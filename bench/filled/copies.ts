import type { Row, Rows, Template, Value } from './template.ts';

/** How many copies there are, and over how much time: the last ones end now. */
export type Span = { blocks: number; days: number; now: number };

/** One in so many copies has the orders that wait for something. */
const WAITING_EVERY = 50;

/** One in so many copies has the shopper whose e-mail is known; as many other shoppers as this are there. */
const KNOWN_EVERY = 50;
const SHOPPERS = 300_000;

const DAY_MS = 86_400_000;

/** Order numbers of the template are below this. */
const ORDERS = 200;

/** Columns of rows that a number names, and what each of them counts. */
const numbers: Readonly<Record<string, string>> = {
  'events.seq': 'events',
  'events.place': 'events',
  'audit.seq': 'audit',
  'audit_terms.seq': 'audit',
  'listed_orders.id': 'orders',
  'order_terms.order_id': 'orders',
};

/** What is due is due in a year: the relay that is measured has nothing else to do. */
const DUE = new Set(['next_query_at', 'next_try_at', 'next_look_at', 'due_at', 'leased_until']);
const DUE_MS = 365 * DAY_MS;

/** What differs in every copy of a text: ids, order numbers, transactions, contracts, payouts, e-mails and moments. */
const TOKEN =
  /(?:cs|at|dv|req|op|msg)_[0-9a-z]{8}(?=[\w-]{24})|C\d{8}|(?<!\d)\d{20}(?!\d)|R[0-9a-f]{12}|[0-9a-f]{8}(?=-[0-9a-f]{4}-4[0-9a-f]{3}-)|email [\w-]{22}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** One copy of all: its number, and how much later than the template it is. */
type Copy = { number: number; shift: number; waits: boolean };

type TableCopy = { table: string; columns: readonly string[]; rows: Value[][] };

/** The copies of a template, one after the other: each a hundred orders, and some that wait. */
export function* copiesOf(template: Template, { blocks, days, now }: Span): Generator<TableCopy[]> {
  const make = createMaker(template, now + DUE_MS);
  const last = now - template.since - 60_000;
  for (let number = 0; number < blocks; number++) {
    const shift = last - Math.round((days * DAY_MS * (blocks - 1 - number)) / blocks);
    yield make({ number, shift, waits: number % WAITING_EVERY === WAITING_EVERY - 1 });
  }
}

type Cell = (copy: Copy) => Value;

function createMaker({ usual, waiting }: Template, due: number): (copy: Copy) => TableCopy[] {
  const tokens = createTokens();
  const steps = stepsOf([usual, waiting]);
  const dueAt = new Date(due).toISOString();
  const cellOf = (table: string, column: string, row: Row): Cell => {
    const value = row[column] ?? null;
    const counted = numbers[`${table}.${column}`];
    if (value === null || typeof value === 'boolean') return () => value;
    if (counted !== undefined) {
      const step = steps.get(counted) ?? 0;
      return ({ number }) => number * step + Number(value);
    }
    if (DUE.has(column) || (column === 'expires_at' && row.status === 'open')) return () => dueAt;
    // Milliseconds since 1970; PostgreSQL gives large numbers as texts.
    if (/^1[6-9]\d{11}$/.test(String(value))) return ({ shift }) => Number(value) + shift;
    return typeof value === 'number' ? () => value : tokens.text(value);
  };
  const compiled = (rows: Rows) =>
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

/** By what is counted: how many numbers each copy has. */
function stepsOf(all: readonly Rows[]): Map<string, number> {
  const steps = new Map<string, number>();
  for (const [name, counted] of Object.entries(numbers)) {
    const [table = '', column = ''] = name.split('.');
    const used = all.flatMap((rows) => (rows.get(table) ?? []).map((row) => Number(row[column] ?? 0)));
    steps.set(counted, Math.max(steps.get(counted) ?? 0, ...used.map((number) => number + 1)));
  }
  return steps;
}

/** Texts whose tokens are written once for each copy. */
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

/** What an order of the template is called in a copy. */
export function orderNo(token: string, copy: number): string {
  return `C${String(copy * ORDERS + Number(token.slice(1))).padStart(8, '0')}`;
}

/** The number of the last copy that has orders which wait. */
export function lastWaiting(blocks: number): number {
  return Math.floor(blocks / WAITING_EVERY) * WAITING_EVERY - 1;
}
