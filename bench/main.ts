/**
 * Runs the benchmarks: `npm run bench -- relay`; docs/benchmarks.md describes how each one measures. Where things are:
 *
 * - `bench/<name>/<name>.ts` is the benchmark of that name (relay, growth, retention, console, scale, capacity, failover, start, bulk,
 *   widget, trace); what only that benchmark needs is beside it.
 * - `bench/harness/` is what all of them share: measuring, comparing in rounds, reports, results and their history.
 * - `bench/processes/` are the processes that several of them start: the gateway, the visitors, the relay and its baselines.
 * - `bench/filled-store/` fills a store with a million orders, for `growth` and `console`.
 */
import { parseArgs } from 'node:util';
import { bulk } from './bulk/bulk.ts';
import { capacity } from './capacity/capacity.ts';
import { consoleParts, consoleScreens } from './console/console.ts';
import { failover } from './failover/failover.ts';
import { growth } from './growth/growth.ts';
import type { Benchmark } from './harness/report.ts';
import { allResults, startOfRun, writeReport } from './harness/results.ts';
import { relay, relayParts } from './relay/relay.ts';
import { retention } from './retention/retention.ts';
import { scale } from './scale/scale.ts';
import { start } from './start/start.ts';
import { trace } from './trace/trace.ts';
import { widget } from './widget/widget.ts';

/** The benchmarks by name, in the order in which they run. */
const benchmarks = new Map<string, Benchmark>([
  ['relay', relay],
  ['growth', growth],
  ['retention', retention],
  ['console', consoleScreens],
  ['scale', scale],
  ['capacity', capacity],
  ['failover', failover],
  ['start', start],
  ['bulk', bulk],
  ['widget', widget],
  ['trace', trace],
]);

/**
 * Runs the named benchmarks, or all. `--only` names parts of `relay` or `console`. `--rounds` makes a run shorter, which is then
 * not recorded in the history. `--keep` names a folder that keeps the stores which `console` and `growth` fill. `--table` prints the
 * results of earlier runs instead.
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
  const error =
    unknownNames('benchmark', positionals, [...benchmarks.keys()]) ??
    unknownNames('part', only, [...relayParts, ...consoleParts]) ??
    (rounds.rounds !== undefined && !(rounds.rounds >= 1) ? '--rounds takes a number from 1.' : undefined);
  if (error !== undefined) {
    console.error(error);
    process.exitCode = 1;
    return;
  }
  for (const [name, benchmark] of benchmarks) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const start = startOfRun();
    const options = { only, ...rounds, ...(values.keep === undefined ? {} : { keep: values.keep }) };
    const report = await benchmark((line) => console.error(`${name}: ${line}`), options);
    console.log(writeReport(name, report, start, options));
  }
}

/** An error message if some of the given names are not known; otherwise undefined. */
function unknownNames(what: string, given: readonly string[], known: readonly string[]): string | undefined {
  const unknown = given.filter((name) => !known.includes(name));
  return unknown.length > 0 ? `There is no ${what} ${unknown.join(', ')}. There are: ${known.join(', ')}.` : undefined;
}

await main(process.argv.slice(2));
