import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { until } from '../support/time/until.ts';
import { ownMounts } from './harness/own-mounts.ts';
import type { Rehearsal } from './harness/rehearsal.ts';

const FULL_MS = 5000;

/** The SQLite file is on a tmpfs of 64 MB in the relay's own mount namespace. Another file fills it. */
export const diskFull: Rehearsal = {
  breaks: `the disk of an SQLite store is full for ${FULL_MS / 1000} s`,
  stage: {
    store: 'sqlite',
    relays: 1,
    relay(folder) {
      const disk = join(folder, 'store');
      mkdirSync(disk);
      return { through: ownMounts(`mount -t tmpfs -o size=64m tmpfs ${disk}`) };
    },
  },
  async run({ folder, relays: [relay] }) {
    const ready = async (): Promise<boolean> => (await fetch(`${relay.url}/readyz`)).status === 200;
    // The mounts of the relay are visible only through its root.
    const filler = `/proc/${relay.pid()}/root${join(folder, 'store', 'filler')}`;
    fill(filler);
    await until('the relay is not ready', async () => {
      // The relay may have freed space meanwhile.
      fill(filler);
      return !(await ready());
    });
    await setTimeout(FULL_MS);
    rmSync(filler);
    const freed = performance.now();
    await until('the relay is ready', ready);
    return {
      notes: [`the relay was ready ${((performance.now() - freed) / 1000).toFixed(1)} s after there was room again`],
    };
  },
};

/** Appends to a file until the disk is full. */
function fill(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (const bytes of [65_536, 4096, 1]) {
      const block = Buffer.alloc(bytes);
      try {
        while (writeSync(file, block) === bytes);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
  } finally {
    closeSync(file);
  }
}
