import { parseArgs } from 'node:util';
import { consoleParts, consoleScreens } from './console/console.ts';
import { failover } from './failover.ts';
import { growth } from './growth.ts';
import { allResults, type Benchmark, startOfRun, writeReport } from './harness/report.ts';
import { bulk } from './relay/bulk.ts';
import { relay, relayParts } from './relay/relay.ts';
import { trace } from './relay/trace-payment.ts';
import { scale } from './scale.ts';
import { widget } from './widget/widget.ts';

const benchmarks = new Map<string, Benchmark>([
  ['relay', relay],
  ['growth', growth],
  ['console', consoleScreens],
  ['scale', scale],
  ['failover', failover],
  ['bulk', bulk],
  ['widget', widget],
  ['trace', trace],
]);

/**
 * Runs the benchmarks that are named, or all. `--only` names parts of `relay` or `console`; `--rounds` makes it shorter, and leaves no
 * line in the history then. `--keep` names a folder for the stores that `console` and `growth` fill. `--table` prints the results of earlier runs instead.
 */
async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      table: { type: 'boolean' },
      only: { type: 'string', default: '' },
      rounds: { type: 'string' },
      keep: { type: 'string' },
    },
  });
  if (values.table) {
    console.log(allResults());
    return;
  }
  const only = values.only.split(',').filter((part) => part !== '');
  const rounds = values.rounds === undefined ? {} : { rounds: Number(values.rounds) };
  const wrong =
    unknown('benchmark', positionals, [...benchmarks.keys()]) ??
    unknown('part', only, [...relayParts, ...consoleParts]) ??
    (rounds.rounds !== undefined && !(rounds.rounds >= 1) ? '--rounds takes a number from 1.' : undefined);
  if (wrong !== undefined) {
    console.error(wrong);
    process.exitCode = 1;
    return;
  }
  for (const [name, benchmark] of benchmarks) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const start = startOfRun();
    const wanted = { only, ...rounds, ...(values.keep === undefined ? {} : { keep: values.keep }) };
    const report = await benchmark((line) => console.error(`${name}: ${line}`), wanted);
    console.log(writeReport(name, report, start, wanted));
  }
}

function unknown(what: string, given: readonly string[], known: readonly string[]): string | undefined {
  const strangers = given.filter((name) => !known.includes(name));
  return strangers.length > 0
    ? `There is no ${what} ${strangers.join(', ')}. There are: ${known.join(', ')}.`
    : undefined;
}

await main(process.argv.slice(2));
