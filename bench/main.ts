import { parseArgs } from 'node:util';
import { growth } from './growth.ts';
import { memory } from './memory.ts';
import { relay } from './relay.ts';
import { allResults, type Benchmark, currentLoad, writeReport } from './report.ts';
import { signature } from './signature.ts';
import { slowDisk } from './slow-disk.ts';
import { trace } from './trace-payment.ts';
import { widget } from './widget.ts';
import { xml } from './xml.ts';

const benchmarks = new Map<string, Benchmark>([
  ['relay', relay],
  ['memory', memory],
  ['growth', growth],
  ['slow-disk', slowDisk],
  ['xml', xml],
  ['signature', signature],
  ['widget', widget],
  ['trace', trace],
]);

/** Runs the benchmarks that are named, or all; `--table` prints the results of earlier runs instead. */
async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { table: { type: 'boolean' } },
  });
  if (values.table) {
    console.log(allResults());
    return;
  }
  const wrong = unknown('benchmark', positionals, [...benchmarks.keys()]);
  if (wrong !== undefined) {
    console.error(wrong);
    process.exitCode = 1;
    return;
  }
  for (const [name, benchmark] of benchmarks) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const load = currentLoad();
    const report = await benchmark((line) => console.error(`${name}: ${line}`));
    console.log(writeReport(name, report, load));
  }
}

function unknown(what: string, given: readonly string[], known: readonly string[]): string | undefined {
  const strangers = given.filter((name) => !known.includes(name));
  return strangers.length > 0
    ? `There is no ${what} ${strangers.join(', ')}. There are: ${known.join(', ')}.`
    : undefined;
}

await main(process.argv.slice(2));
