import type { Dialect } from '../sql/plan.ts';
import { postgresForm } from '../sql/spellings.ts';

/** The SQL of PostgreSQL where the two databases differ. */
export const dialect: Dialect = {
  table: (name) => `turnpike.${name}`,
  is: (column) => column,
  anyOf: (parameter) => `= ANY (${parameter}::text[])`,
  anyNumberOf: (parameter) => `= ANY (${parameter}::bigint[])`,
  noneOf: (parameter) => `<> ALL (${parameter}::text[])`,
  // OFFSET 0 makes the server find each row by its key, whatever its statistics say about the tables.
  each: (name, alias, on) =>
    `CROSS JOIN LATERAL (SELECT * FROM turnpike.${name} AS ${alias} WHERE ${on} OFFSET 0) AS ${alias}`,
  records: (parameter, name, ...columns) =>
    `json_to_recordset(${parameter}) AS ${name} (${columns.map((column) => `${column} text`).join(', ')})`,
  isAmong: (parameter, ...columns) => {
    const names = columns.map((column) => column.split(' ')[0]).join(', ');
    const typed = columns.map((column) => (column.includes(' ') ? column : `${column} text`)).join(', ');
    return `(${names}) IN (SELECT ${names} FROM json_to_recordset(${parameter}) AS given (${typed}))`;
  },
  insertMissing: (name, columns, rows) => `INSERT INTO ${name} (${columns}) ${rows} ON CONFLICT DO NOTHING`,
  elements: (list, name) => `json_array_elements_text(${list}::json) AS ${name} (value)`,
  terms: { table: 'turnpike.sessions', key: 'id', joined: 'turnpike.sessions' },
  form: postgresForm,
  fence: 'OFFSET 0',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  forUpdate: 'FOR UPDATE',
};
