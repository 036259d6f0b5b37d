import { ConfigError } from './base/errors.ts';
import { loadConfig } from './config/load.ts';
import { exitCodes, refusalOf, refusalText } from './refusal.ts';
import { type PendingChanges, pendingOf } from './store/pending.ts';

/** `turnpike-relay migrate --check`: says what the next start of this version changes in the store, and changes nothing. */
async function main(args: readonly string[]): Promise<void> {
  if (args.length !== 1 || args[0] !== '--check') {
    console.error('Usage: TURNPIKE_CONFIG=relay.json turnpike-relay migrate --check');
    process.exit(2);
  }
  const path = process.env.TURNPIKE_CONFIG;
  if (!path) throw new ConfigError(['set TURNPIKE_CONFIG to the path of the config file']);
  console.log(textOf(await pendingOf(loadConfig(path, process.env).store)));
}

function textOf({ version, newest, changes }: PendingChanges): string {
  if (version === 0) return `There is no store yet. The next start makes one of version ${newest}.`;
  if (version === newest) return `The store has version ${version}, which this release uses: nothing changes.`;
  const lines = changes.map(({ statement, rows }) =>
    rows === undefined ? `  ${statement}` : `  ${statement} (about ${rows} rows)`,
  );
  return [
    `The store has version ${version}. The next start brings it to ${newest}, in one transaction:`,
    ...lines,
    'Earlier releases cannot start on the store then. The way back is a backup: make one first.',
  ].join('\n');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const refusal = refusalOf(error);
  console.error(refusalText(refusal));
  process.exit(exitCodes[refusal.class]);
});
