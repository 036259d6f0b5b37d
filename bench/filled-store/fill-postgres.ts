import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../../relay/store/postgres/open.ts';
import type { TestPostgres } from '../../test/support/stores/postgres.ts';
import type { Say } from '../harness/report.ts';
import { copiesOf, type Span } from './copies.ts';
import { makeTemplate, type StoredRow, type Value } from './template.ts';

/** The number of copies in a file, which the server then reads at once. */
const CHUNK = 250;

/** Columns with a sequence. */
const sequences = [
  ['events', 'seq'],
  ['audit', 'seq'],
  ['listed_orders', 'id'],
] as const;

/** Fills a new database of a server on this machine with the copies of a template. Gives its address. */
export async function fillPostgres(postgres: TestPostgres, span: Span, say: Say): Promise<string> {
  const model = await postgres.database();
  const rows = async (table: string): Promise<StoredRow[]> => {
    // Generated columns cannot be inserted.
    const generated = await postgres.query(
      model,
      `SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'turnpike' AND table_name = '${table}' AND is_generated = 'ALWAYS'`,
    );
    const names = new Set(generated.map(({ name }) => name));
    return (await postgres.query(model, `SELECT * FROM turnpike.${table}`)).map((row) =>
      Object.fromEntries(
        Object.entries(row).flatMap(([name, value]) => (names.has(name) ? [] : [[name, plain(value)]])),
      ),
    );
  };
  const tables = async (): Promise<string[]> =>
    (await postgres.query(model, "SELECT tablename FROM pg_tables WHERE schemaname = 'turnpike'")).map(
      ({ tablename }) => String(tablename),
    );
  const template = await makeTemplate(model, { tables, rows });
  const address = await postgres.database();
  await (await openPostgres(address)).close();
  const run = (sql: string) => postgres.query(address, sql);
  const restore = await dropKeys(run);

  const files = mkdtempSync(join(tmpdir(), 'turnpike-copied-'));
  // The server runs as another user if this process runs as root.
  chmodSync(files, 0o755);
  let loading: Promise<unknown> = Promise.resolve();
  let waiting = new Map<string, string[]>();
  let done = 0;
  const load = async (): Promise<void> => {
    const [chunk, turn] = [waiting, done / CHUNK];
    waiting = new Map();
    const paths = [...chunk].map(([into, lines], at) => {
      const path = join(files, `${turn % 2}-${at}`);
      writeFileSync(path, lines.join(''));
      return `COPY turnpike.${into} FROM '${path}';`;
    });
    // In this mode triggers and foreign keys are off.
    await loading;
    loading = run(`SET session_replication_role = replica; ${paths.join(' ')}`);
  };
  for (const copy of copiesOf(template, span)) {
    for (const { table, columns, rows } of copy) {
      const into = `${table} (${columns.join(', ')})`;
      const lines = waiting.get(into) ?? [];
      for (const row of rows) lines.push(`${row.map(cell).join('\t')}\n`);
      waiting.set(into, lines);
    }
    done += 1;
    if (done % CHUNK === 0 || done === span.blocks) await load();
    if (done % 1000 === 0) say(`PostgreSQL: ${done} of ${span.blocks} copies`);
  }
  await loading;
  rmSync(files, { recursive: true });
  say('PostgreSQL: indexes');
  await run(`SET maintenance_work_mem = '1GB'; ${restore.join('; ')}`);
  for (const [table, column] of sequences) {
    const sequence = `pg_get_serial_sequence('turnpike.${table}', '${column}')`;
    await run(`SELECT setval(${sequence}, (SELECT max(${column}) FROM turnpike.${table}))`);
  }
  await run('VACUUM ANALYZE');
  await run('CHECKPOINT');
  return address;
}

/** Drops keys and indexes, because creating them after all rows is faster. Gives the statements that create them again. */
export async function dropKeys(run: (sql: string) => Promise<Record<string, unknown>[]>): Promise<string[]> {
  const keys =
    await run(`SELECT conname AS name, conrelid::regclass::text AS of, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE connamespace = 'turnpike'::regnamespace AND contype IN ('p', 'u', 'f')
    ORDER BY contype = 'f' DESC`);
  for (const { name, of } of keys) await run(`ALTER TABLE ${String(of)} DROP CONSTRAINT ${String(name)}`);
  const indexes = await run("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'turnpike'");
  for (const { indexname } of indexes) await run(`DROP INDEX turnpike.${String(indexname)}`);
  const added = keys.map(
    ({ name, of, definition }) => `ALTER TABLE ${String(of)} ADD CONSTRAINT ${String(name)} ${String(definition)}`,
  );
  return [...added.toReversed(), ...indexes.map(({ indexdef }) => String(indexdef))];
}

/** A value in the text format of COPY. */
function cell(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return value.replaceAll(/[\\\n\r\t]/g, (character) => escaped[character] ?? character);
}

const escaped: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function plain(value: unknown): Value {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new TypeError('a value that cannot be copied');
}
