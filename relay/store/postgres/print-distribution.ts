import { distribute, type Kind } from './schema/distributed.ts';
import { openDatabase } from './server/database.ts';
import { serversOf } from './server/servers.ts';

/**
 * Prints the statements that distribute the tables of a new store: `print-distribution.ts citus|yugabyte|hash ADDRESS`.
 */
const kinds: readonly Kind[] = ['citus', 'yugabyte', 'hash'];

const [wanted, address] = process.argv.slice(2);
const kind = kinds.find((one) => one === wanted);
if (kind === undefined || address === undefined) {
  console.error(`Usage: node print-distribution.ts ${kinds.join('|')} ADDRESS`);
  process.exit(2);
}
const db = openDatabase(serversOf(address));
const statements = await distribute(kind, (text) => db.read({ name: '', text }));
console.log(statements.map((statement) => `${statement};`).join('\n'));
await db.close();
