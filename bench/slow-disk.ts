import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Figures, type Load, startSurroundings } from './measure.ts';
import { median } from './micro.ts';
import { atMost, type Benchmark, type Report } from './report.ts';

const DELAY_MS = 2;
const ROUNDS = 3;

const loads: Record<'lone' | 'busy', Load> = {
  lone: { payments: 200, concurrency: 1, delay_ms: 0 },
  busy: { payments: 1000, concurrency: 50, delay_ms: 50 },
};

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
export const slowDisk: Benchmark = async (say) => {
  const surroundings = await startSurroundings();
  try {
    const folder = surroundings.folder();
    const library = compile(folder);
    if (library === undefined) return unmeasured();
    const fsyncMs = timeOfFsync(folder) + DELAY_MS;
    const [usual, slow] = [
      await surroundings.relay({ store: `sqlite:${join(folder, 'usual.db')}` }),
      await surroundings.relay({ store: `sqlite:${join(folder, 'slow.db')}`, env: { LD_PRELOAD: library } }),
    ];
    for (const target of [usual, slow]) await target.run({ payments: 3000, concurrency: 50, delay_ms: 0 });
    const found = { lone: await inTurns('lone', say), busy: await inTurns('busy', say) };
    async function inTurns(name: keyof typeof loads, tell: typeof say): Promise<{ usual: Figures[]; slow: Figures[] }> {
      const runs: { usual: Figures[]; slow: Figures[] } = { usual: [], slow: [] };
      for (let round = 0; round < ROUNDS; round++) {
        tell(`${name}, round ${round + 1} of ${ROUNDS}`);
        runs.usual.push(await usual.run(loads[name]));
        runs.slow.push(await slow.run(loads[name]));
      }
      return runs;
    }
    const p50 = (runs: Figures[]): number => median(runs.map(({ p50_ms }) => p50_ms));
    const p99 = (runs: Figures[]): number => median(runs.map(({ p99_ms }) => p99_ms));
    const added = (name: keyof typeof loads): number => p50(found[name].slow) - p50(found[name].usual);
    const rows = (['lone', 'busy'] as const).flatMap((name) =>
      (['usual', 'slow'] as const).map((disk) => ({
        what: `${name === 'lone' ? '1 at once, gateway 0 ms' : '50 at once, gateway 50 ms'}, ${disk === 'usual' ? 'disk as it is (baseline)' : 'slow disk'}`,
        figures: {
          'p50 ms': p50(found[name][disk]),
          'p99 ms': p99(found[name][disk]),
          'added, × fsync': disk === 'usual' ? 0 : added(name) / fsyncMs,
        },
      })),
    );
    return {
      rows,
      targets: [
        atMost('p50 added, a lone payment, × fsync', added('lone') / fsyncMs, 3),
        atMost('p50 added, 50 at once, × fsync', added('busy') / fsyncMs, 3),
      ],
      notes: [
        `One fsync takes ${fsyncMs.toFixed(2)} ms here, ${DELAY_MS} of them added by the benchmark; a payment waits for two.`,
      ],
    };
  } finally {
    await surroundings.stop();
  }
};

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
