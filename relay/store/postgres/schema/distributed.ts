import type { Row } from '../../row.ts';
import { placements } from './distribution.ts';

/**
 * Databases with several nodes, and `hash`: the partitions of one PostgreSQL, whose plans show the work on each node.
 */
export type Kind = 'hash' | 'citus' | 'yugabyte';

/** The parts that are created again with a table. */
type Table = {
  name: string;
  by: readonly string[];
  indexes: Index[];
  constraints: string[];
  triggers: string[];
  functions: string[];
};
type Index = { name: string; definition: string; isPrimary: boolean; isUnique: boolean };

/**
 * The statements that distribute the tables of an empty store as `placements` says.
 * @param read returns the rows of a query in a database with the schema
 */
export async function distribute(
  kind: Kind,
  read: (text: string) => Promise<Row[]>,
  partitions = 32,
): Promise<string[]> {
  const tables: Table[] = [];
  for (const [name, placement] of Object.entries(placements)) {
    if ('by' in placement) tables.push({ name, by: placement.by, ...(await partsOf(name, read)) });
  }
  const keys = tables.flatMap(({ constraints }) => constraints);
  const spread = { hash: (table: Table) => partitioned(table, partitions), citus, yugabyte }[kind];
  return [...keys, ...tables.flatMap(spread)];
}

async function partsOf(name: string, read: (text: string) => Promise<Row[]>): Promise<Omit<Table, 'name' | 'by'>> {
  const table = `'turnpike.${name}'::regclass`;
  const indexes =
    await read(`SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition, indisprimary, indisunique
    FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = ${table} ORDER BY relname`);
  const foreign = await read(`SELECT conname FROM pg_constraint WHERE conrelid = ${table} AND contype = 'f'`);
  const triggers = await read(`SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger
    WHERE tgrelid = ${table} AND NOT tgisinternal ORDER BY tgname`);
  const functions = await read(`SELECT pg_get_functiondef(oid) AS definition FROM pg_proc
    WHERE (SELECT reltype FROM pg_class WHERE oid = ${table}) = ANY (proargtypes::oid[])`);
  return {
    indexes: indexes.map((row) => ({
      ...{ name: String(row.name), definition: String(row.definition) },
      ...{ isPrimary: row.indisprimary === true, isUnique: row.indisunique === true },
    })),
    constraints: foreign.map(({ conname }) => `ALTER TABLE turnpike.${name} DROP CONSTRAINT ${String(conname)}`),
    triggers: triggers.map(({ definition }) => String(definition)),
    functions: functions.map(({ definition }) => String(definition)),
  };
}

/** The columns of an index, and the text after them. */
const COLUMNS = /^(.* USING \w+ \()(.*?)(\)(?: (?:INCLUDE|WITH|WHERE|NULLS) .*)?)$/s;

/** The index with the columns by which its table is distributed: rows are only compared on one node. */
function ownIndex({ definition, isUnique }: Index, by: readonly string[]): string {
  if (!isUnique) return definition;
  const [, head = '', columns = '', rest = ''] = COLUMNS.exec(definition) ?? [];
  const lacking = by.filter((column) => !columns.split(', ').includes(column));
  return `${head}${[...lacking, columns].join(', ')}${rest}`;
}

function partitioned({ name, by, indexes, triggers, functions }: Table, partitions: number): string[] {
  const table = `turnpike.${name}`;
  return [
    `ALTER TABLE ${table} RENAME TO ${name}_whole`,
    `CREATE TABLE ${table} (LIKE ${table}_whole INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING IDENTITY INCLUDING CONSTRAINTS)
      PARTITION BY HASH (${by.join(', ')})`,
    `DROP TABLE ${table}_whole CASCADE`,
    ...Array.from(
      { length: partitions },
      (_, n) =>
        `CREATE TABLE ${table}_${n} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${n})`,
    ),
    ...indexes.map((index) => ownIndex(index, by).replace(' ON ONLY ', ' ON ')),
    ...[...functions, ...triggers],
  ];
}

/**
 * Citus distributes by one column: the last one, which has many values. Tables with the same distribution are on the
 * same node.
 */
function citus({ name, by, indexes }: Table): string[] {
  const column = by.at(-1) ?? '';
  const first = Object.entries(placements).find(
    ([, placement]) => 'by' in placement && placement.by.at(-1) === column,
  )?.[0];
  const colocated = first === undefined || first === name ? 'none' : `turnpike.${first}`;
  return [
    ...rekeyed(name, [column], indexes),
    `SELECT create_distributed_table('turnpike.${name}', '${column}', colocate_with => '${colocated}')`,
  ];
}

/** YugabyteDB distributes a table by the first part of its primary key. */
function yugabyte({ name, by, indexes }: Table): string[] {
  return rekeyed(name, by, indexes, (columns) => {
    const rest = columns.filter((column) => !by.includes(column)).map((column) => `${column} ASC`);
    return [`(${by.join(', ')}) HASH`, ...rest];
  });
}

/** Replaces the unique indexes by indexes with the columns by which the table is distributed. */
function rekeyed(
  name: string,
  by: readonly string[],
  indexes: readonly Index[],
  keyOf: (columns: string[]) => string[] = (columns) => columns,
): string[] {
  return indexes
    .filter(({ isUnique }) => isUnique)
    .flatMap((index) => {
      const [, , columns = ''] = COLUMNS.exec(ownIndex(index, by)) ?? [];
      const key = keyOf(columns.split(', ')).join(', ');
      return index.isPrimary
        ? [
            `ALTER TABLE turnpike.${name} DROP CONSTRAINT ${index.name}`,
            `ALTER TABLE turnpike.${name} ADD PRIMARY KEY (${key})`,
          ]
        : [`DROP INDEX turnpike.${index.name}`, ownIndex(index, by)];
    });
}
