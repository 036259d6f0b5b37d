import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { buildPackage } from '../../package/build.ts';
import { type Child, startChild } from '../harness/child.ts';
import { atMost, type Benchmark } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';

const LATENCY_MS = 200;
const CONCURRENCY = 4;
const ROWS = 10_000;
const MANY_ROWS = 100_000;
const ROUNDS = 3;
const MB = 2 ** 20;

/** The compiled package with the command, as shops install it. */
const packageFolder = join(import.meta.dirname, '../../dist/package');

/** A heap limit close to what the command needs: a larger heap would keep garbage, which would be measured too. */
const SMALL_HEAP = ['--max-old-space-size=64', '--max-semi-space-size=2'];

/** The numbers of requests and items that the relay received, and the maximum of concurrent requests. */
const relayCounts = z.object({ calls: z.int(), items: z.int(), most: z.int() });

/** The cost of one run of the command, from the start of its process to its end. `rss` is its peak memory in bytes. */
type Cost = { seconds: number; rss: number; calls: number };

/** The time of `turnpike bulk refund` with a relay that takes 200 ms a request, and its memory for ten times as many rows. */
export const bulk: Benchmark = async (say, { rounds = ROUNDS } = {}) => {
  buildPackage(packageFolder);
  const relay = await startChild('bulk/slow-relay.ts');
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  try {
    const costs: Cost[] = [];
    for (let round = 1; round <= rounds; round++) {
      say(`${ROWS} rows, round ${round} of ${rounds}`);
      costs.push(await refund(relay, folder, ROWS, LATENCY_MS));
    }
    say(`${ROWS} and ${MANY_ROWS} rows at once`);
    const few = await refund(relay, folder, ROWS, 0, SMALL_HEAP);
    const many = await refund(relay, folder, MANY_ROWS, 0, SMALL_HEAP);
    const seconds = median(costs.map((cost) => cost.seconds));
    const calls = costs[0]?.calls ?? 0;
    const ideal = (calls * LATENCY_MS) / CONCURRENCY / 1000;
    return {
      rows: [
        { what: 'calls × latency / concurrency (baseline)', figures: { seconds: ideal, calls, ratio: 1 } },
        { what: `${ROWS} refunds, ${LATENCY_MS} ms a request`, figures: { seconds, calls, ratio: seconds / ideal } },
        ...[
          { what: `${ROWS} refunds, 0 ms a request, heap of 64 MB`, cost: few },
          { what: `${MANY_ROWS} refunds, 0 ms a request, heap of 64 MB`, cost: many },
        ].map(({ what, cost }) => ({
          what,
          figures: { seconds: cost.seconds, calls: cost.calls, 'peak resident MB': cost.rss / MB },
        })),
      ],
      aims: [
        atMost(`${ROWS} refunds, × (calls × latency / concurrency)`, seconds / ideal, 1.2),
        atMost(`peak memory of ${MANY_ROWS} rows, less that of ${ROWS}`, (many.rss - few.rss) / MB, 32, ' MB'),
      ],
      notes: [
        `From the start of the process to its end: the file is checked, sent in requests of 50, ${CONCURRENCY} at once, and the results written.`,
        'The relay is scripted, and takes as long to report the outcome of a request as for the request itself. Each request is first synced to the journal.',
      ],
    };
  } finally {
    await relay.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Runs the command with this number of rows. Throws if it fails or skips rows. */
async function refund(
  relay: Child,
  folder: string,
  rows: number,
  delay_ms: number,
  execArgv: string[] = [],
): Promise<Cost> {
  await relay.ask({ delay_ms }, z.literal('ok'));
  const file = join(mkdtempSync(join(folder, 'run-')), 'refunds.csv');
  await pipeline(Readable.from(linesOf(rows)), createWriteStream(file));
  const args = ['bulk', 'refund', file, '--yes', '--concurrency', String(CONCURRENCY)];
  const memoryFile = `${file}.memory`;
  const preload = join(import.meta.dirname, 'write-peak-memory.ts');
  const nodeArgs = [...execArgv, '--import', preload, join(packageFolder, 'cli/main.js')];
  const env = { TURNPIKE_URL: `http://127.0.0.1:${relay.port}`, TURNPIKE_API_KEY: 'bench', MEMORY_FILE: memoryFile };
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - began) / 1000;
  const { calls, items, most } = await relay.ask('counts', relayCounts);
  if (code !== 0 || items !== rows || most > CONCURRENCY) throw new Error(`the command ended with ${code}`);
  return { seconds, calls, rss: Number(readFileSync(memoryFile, 'utf8')) };
}

/** The lines of a CSV file of refunds. */
function* linesOf(rows: number): Generator<string> {
  yield 'transaction_id,currency,amount,refund_amount,refund_reason,reference\n';
  for (let at = 0; at < rows; at++) {
    yield `${String(at).padStart(20, '0')},BRL,129.90,20.00,returned goods,refund-${at}\n`;
  }
}
