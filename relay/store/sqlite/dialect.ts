import type { Dialect } from '../sql/plan.ts';
import { sqliteForm } from '../sql/spellings.ts';

/** The SQL of SQLite where the two databases differ. */
export const dialect: Dialect = {
  table: (name, index) => (index ? `${name} INDEXED BY ${index}` : name),
  is: (column) => `${column} = 1`,
  anyOf: (parameter) => `IN (SELECT value FROM json_each(${parameter}))`,
  anyNumberOf: (parameter) => `IN (SELECT value FROM json_each(${parameter}))`,
  noneOf: (parameter) => `NOT IN (SELECT value FROM json_each(${parameter}))`,
  each: (name, alias, on) => `CROSS JOIN ${name} AS ${alias} ON ${on}`,
  records: (_parameter, name, ...columns) =>
    `(SELECT ${columns.map((column) => `@${column} AS ${column}`).join(', ')}) AS ${name}`,
  isAmong: (_parameter, ...columns) => columns.map((column) => column.replace(/^(\w+).*/, '$1 = @$1')).join(' AND '),
  insertMissing: (name, columns, rows) => `INSERT OR IGNORE INTO ${name} (${columns}) ${rows}`,
  elements: (list, name) => `json_each(${list}) AS ${name}`,
  terms: { table: 'session_terms', key: 'session_id', joined: 'sessions JOIN session_terms ON session_id = id' },
  form: sqliteForm,
  fence: '',
  skipLocked: '',
  forUpdate: '',
};
