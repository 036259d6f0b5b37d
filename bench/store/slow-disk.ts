import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Figures, payments, startSurroundings } from '../harness/measure.ts';
import { median } from '../harness/micro.ts';
import { atMost, type Benchmark, type Report } from '../harness/report.ts';
import { inTurns, middle } from '../harness/rounds.ts';

const DELAY_MS = 2;
const ROUNDS = 3;

const loads = [
  { title: '1 at once, gateway 0 ms', aim: 'a lone payment', load: payments(200, 1) },
  { title: '50 at once, gateway 50 ms', aim: '50 at once', load: payments(1000, 50, 50) },
];

/** A library that makes every fsync and fdatasync of a process take longer, as on a slow or a network disk. */
const SLOW_FSYNC = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static void delay(void) {
  struct timespec left = {0, ${DELAY_MS}000000};
  while (nanosleep(&left, &left) != 0) {}
}
int fsync(int fd) { delay(); return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd); }
int fdatasync(int fd) { delay(); return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd); }
`;

/** Payments on a disk whose fsync takes 2 ms longer, against the same on the disk as it is. */
export const slowDisk: Benchmark = async (say, { rounds = ROUNDS } = {}) => {
  const surroundings = await startSurroundings();
  try {
    const folder = surroundings.folder();
    const library = compile(folder);
    if (library === undefined) return unmeasured();
    const fsyncMs = timeOfFsync(folder) + DELAY_MS;
    const targets = [
      await surroundings.relay({ store: `sqlite:${join(folder, 'usual.db')}` }),
      await surroundings.relay({ store: `sqlite:${join(folder, 'slow.db')}`, env: { LD_PRELOAD: library } }),
    ];
    for (const target of targets) await target.run(payments(3000, 50));
    const report: Report = {
      rows: [],
      targets: [],
      notes: [
        `One fsync takes ${fsyncMs.toFixed(2)} ms here, ${DELAY_MS} of them added by the benchmark; a payment waits for two.`,
      ],
    };
    for (const { title, aim, load } of loads) {
      const [usual = [], slow = []] = await inTurns(targets, load, rounds, (line) => say(`${title}, ${line}`));
      const added = (p50(slow) - p50(usual)) / fsyncMs;
      report.rows.push(
        { what: `${title}, disk as it is (baseline)`, figures: { ...times(usual), 'added, × fsync': 0 } },
        { what: `${title}, slow disk`, figures: { ...times(slow), 'added, × fsync': added } },
      );
      report.targets.push(atMost(`p50 added, ${aim}, × fsync`, added, 3));
    }
    return report;
  } finally {
    await surroundings.stop();
  }
};

const p50 = (rounds: readonly Figures[]): number => middle(rounds, ({ p50_ms }) => p50_ms);

function times(rounds: readonly Figures[]): Record<string, number> {
  return { 'p50 ms': p50(rounds), 'p99 ms': middle(rounds, ({ p99_ms }) => p99_ms) };
}

/** Undefined where there is no C compiler. */
function compile(folder: string): string | undefined {
  const [source, library] = [join(folder, 'slow-fsync.c'), join(folder, 'slow-fsync.so')];
  writeFileSync(source, SLOW_FSYNC);
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return library;
  } catch {
    return undefined;
  }
}

function unmeasured(): Report {
  return { rows: [], targets: [], notes: ['Not measured: install a C compiler (`apt-get install gcc libc6-dev`).'] };
}

/** Milliseconds that an fdatasync of four kilobytes takes on this disk. */
function timeOfFsync(folder: string): number {
  const file = openSync(join(folder, 'probe'), 'w');
  const times = Array.from({ length: 50 }, () => {
    writeSync(file, Buffer.alloc(4096, 1));
    const start = performance.now();
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  return median(times);
}
