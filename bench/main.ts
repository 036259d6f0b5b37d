import { growth } from './growth.ts';
import { memory } from './memory.ts';
import { relay } from './relay.ts';
import { allResults, type Benchmark, writeReport } from './report.ts';
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
async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--table')) {
    console.log(allResults());
    return;
  }
  const strangers = args.filter((name) => !benchmarks.has(name));
  if (strangers.length > 0) {
    console.error(`There is no benchmark ${strangers.join(', ')}. There are: ${[...benchmarks.keys()].join(', ')}.`);
    process.exitCode = 1;
    return;
  }
  for (const [name, benchmark] of benchmarks) {
    if (args.length > 0 && !args.includes(name)) continue;
    const report = await benchmark((line) => console.error(`${name}: ${line}`));
    console.log(writeReport(name, report));
  }
}

await main(process.argv.slice(2));
