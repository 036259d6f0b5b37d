import { ConfigError } from './base/errors.ts';
import { loadConfig } from './config/load.ts';
import { exitCodes, refusalOf, refusalText } from './refusal.ts';
import { type PendingChanges, pendingOf } from './store/pending-changes.ts';

/** Measured on a table of 0.4 GB in PostgreSQL, on two cores that also did other work. */
const TIME =
  'Allow a minute for each GB that a statement indexes, and five for each GB whose rows it writes. Start this release on a restored copy to know exactly.';

/**
 * `turnpike-relay migrate --check`: prints the changes that the next start of this version makes in the store. It
 * changes nothing.
 */
async function main(args: readonly string[]): Promise<void> {
  if (args.length !== 1 || args[0] !== '--check') {
    console.error('Usage: TURNPIKE_CONFIG=relay.json turnpike-relay migrate --check');
    process.exit(2);
  }
  const path = process.env.TURNPIKE_CONFIG;
  if (!path) throw new ConfigError(['set TURNPIKE_CONFIG to the path of the config file']);
  console.log(textOf(await pendingOf(loadConfig(path, process.env).store)));
}

function textOf({ version, newest, changes, bytes: fileBytes }: PendingChanges): string {
  if (version === 0) return `There is no store yet. The next start makes one of version ${newest}.`;
  if (version === newest) return `The store has version ${version}, which this release uses: nothing changes.`;
  const lines = changes.map(({ statement, rows, bytes }) => {
    const size = bytes === undefined ? '' : `, ${megabytes(bytes)}`;
    return rows === undefined ? `  ${statement}` : `  ${statement} (about ${rows} rows${size})`;
  });
  return [
    `The store has version ${version}. The next start brings it to ${newest}, in one transaction:`,
    ...lines,
    ...(fileBytes === undefined ? [] : [`The file has ${megabytes(fileBytes)}.`]),
    TIME,
    'Earlier releases cannot start on the store then. The way back is a backup: make one first.',
  ].join('\n');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const refusal = refusalOf(error);
  console.error(refusalText(refusal));
  process.exit(exitCodes[refusal.class]);
});
