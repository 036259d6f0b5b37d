/** One statement of a migration, shortened. `table` is the table whose rows it reads or writes, if it has one. */
export type SchemaChange = { statement: string; table?: string };

const HEAD =
  /^(CREATE (?:OR REPLACE )?(?:UNIQUE )?(?:TABLE|INDEX|TRIGGER|FUNCTION|PROCEDURE)|ALTER TABLE|DROP (?:TABLE|INDEX|TRIGGER|FUNCTION|PROCEDURE)|INSERT INTO|UPDATE|DELETE FROM)\s+(?:IF (?:NOT )?EXISTS\s+)?([\w.]+)/i;

/** The statements on tables with rows. Statements on functions and triggers take no time. */
const OF_ROWS = /^(?:ALTER TABLE|DROP TABLE|UPDATE|DELETE FROM)$/i;

/** The statements in the SQL of some steps, one after another. */
export function changesOf(steps: readonly string[]): SchemaChange[] {
  return statementsOf(steps.join(';\n')).map((text) => {
    const [, verb, name] = HEAD.exec(text) ?? [];
    if (verb === undefined || name === undefined) return { statement: text.replace(/\s+/g, ' ').slice(0, 60) };
    const indexed = /INDEX$/i.test(verb) ? /\sON\s+([\w.]+)/i.exec(text)?.[1] : undefined;
    const table = indexed ?? (OF_ROWS.test(verb) ? name : undefined);
    const on = indexed === undefined ? '' : ` ON ${indexed}`;
    return { statement: `${verb.toUpperCase()} ${name}${on}`, ...(table === undefined ? {} : { table }) };
  });
}

/** The statements of a text, without the bodies of functions. A trigger of SQLite contains statements up to its END. */
function statementsOf(sql: string): string[] {
  const pieces = sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '')
    .replace(/--.*$/gm, '')
    .split(';')
    .map((piece) => piece.trim());
  const statements: string[] = [];
  let isInTrigger = false;
  for (const piece of pieces) {
    if (isInTrigger) {
      isInTrigger = piece.toUpperCase() !== 'END';
      continue;
    }
    if (piece !== '') statements.push(piece);
    isInTrigger = /^CREATE TRIGGER\b[\s\S]*\bBEGIN\b/i.test(piece);
  }
  return statements;
}
