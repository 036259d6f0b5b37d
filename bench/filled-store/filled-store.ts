import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openStore } from '../../relay/store/open.ts';
import { startPostgres, type TestPostgres } from '../../test/support/stores/postgres.ts';
import type { RelayOptions, Surroundings } from '../harness/measure.ts';
import { postgresCpu } from '../harness/postgres-cpu.ts';
import type { Say } from '../harness/report.ts';
import { type StoreName, storeTitles } from '../harness/stores.ts';
import type { Span } from './copies.ts';
import { fillPostgres } from './fill-postgres.ts';
import { fillSqlite } from './fill-sqlite.ts';

/** The number of copies, of about a hundred orders each: together more than a million orders. */
const BLOCKS = 10_200;
const DAYS = 90;

/** A note for reports about what a filled store contains. */
export const fillNote = `Some ${Math.round((BLOCKS * 98.6) / 10_000) * 10_000} orders of ${DAYS} days: copies of a hundred orders that a real relay made, each copy with its own ids, times and numbers.`;

/** A filled store: how to start a relay on it, and the span of its copies. */
type FilledStore = { options: RelayOptions; span: Span } & AsyncDisposable;

/** The file beside a kept store: present once it is completely filled. */
const spanFile = z.object({ blocks: z.number(), days: z.number(), now: z.number(), database: z.string() });

/** A store with a million orders: the one in the folder `keep`, or a new one. */
export async function filledStore(
  name: StoreName,
  { surroundings, keep, say }: { surroundings: Surroundings; keep: string | undefined; say: Say },
): Promise<FilledStore> {
  const folder = keep === undefined ? surroundings.folder() : keep;
  mkdirSync(folder, { recursive: true });
  const markFile = join(folder, `${name}.json`);
  const known = existsSync(markFile) ? spanFile.parse(JSON.parse(readFileSync(markFile, 'utf8'))) : undefined;
  const span: Span = known ?? { blocks: BLOCKS, days: DAYS, now: Date.now() };
  const started = Date.now();
  const markFilled = (database: string): void => {
    writeFileSync(markFile, JSON.stringify({ ...span, database }));
    say(`${storeTitles[name]}: filled in ${Math.round((Date.now() - started) / 1000)} s`);
  };
  if (name === 'sqlite') {
    const path = join(folder, 'console.db');
    if (!known) {
      for (const end of ['', '-wal', '-shm', '-lock']) rmSync(path + end, { force: true });
      await fillSqlite(path, surroundings.folder(), span, say);
      await countFigures(`sqlite:${path}`, say);
      markFilled(path);
    }
    return { options: { store: `sqlite:${path}` }, span, [Symbol.asyncDispose]: async () => undefined };
  }
  const data = join(folder, 'postgres');
  if (!known) {
    rmSync(data, { recursive: true, force: true });
    const filling = await startPostgres({ folder: data });
    try {
      const address = await fillPostgres(filling, span, say);
      await countFigures(address, say);
      markFilled(new URL(address).pathname.slice(1));
    } finally {
      await filling.close();
    }
  }
  const { database } = spanFile.parse(JSON.parse(readFileSync(markFile, 'utf8')));
  const postgres: TestPostgres = await startPostgres({ fsync: true, folder: data });
  const address = postgres.addressOf(database);
  return {
    options: { store: address, databaseCpu: await postgresCpu(postgres, address) },
    span,
    [Symbol.asyncDispose]: () => postgres.close(),
  };
}

/** Computes the counts behind the console's figures, as a running relay would have done. */
async function countFigures(address: string, say: Say): Promise<void> {
  say('counts of figures');
  const store = await openStore(address);
  while (await store.stats.refresh(new Date().toISOString()));
  await store.close();
}
