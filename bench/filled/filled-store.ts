import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openStore } from '../../relay/store/open.ts';
import { startPostgres, type TestPostgres } from '../../test/support/stores/postgres.ts';
import type { RelayOptions, Surroundings } from '../harness/measure.ts';
import { postgresCpu } from '../harness/postgres-cpu.ts';
import { type StoreName, storeTitles } from '../relay/parts.ts';
import type { Span } from './copies.ts';
import { fillPostgres } from './fill-postgres.ts';
import { fillSqlite } from './fill-sqlite.ts';

/** Copies of some hundred orders each: a million orders and some more. */
const BLOCKS = 10_200;
const DAYS = 90;

/** What is in a filled store, for a report. */
export const fillNote = `Some ${Math.round((BLOCKS * 98.6) / 10_000) * 10_000} orders of ${DAYS} days: copies of a hundred that were made at a real relay, each with ids, times and numbers of its own.`;

type Filled = { options: RelayOptions; span: Span } & AsyncDisposable;

const spanFile = z.object({ blocks: z.number(), days: z.number(), now: z.number(), database: z.string() });

/** A store with a million orders: the one that was kept, or a new one. */
export async function filledStore(
  name: StoreName,
  { surroundings, keep, say }: { surroundings: Surroundings; keep: string | undefined; say: (line: string) => void },
): Promise<Filled> {
  const folder = keep === undefined ? surroundings.folder() : keep;
  mkdirSync(folder, { recursive: true });
  const mark = join(folder, `${name}.json`);
  const known = existsSync(mark) ? spanFile.parse(JSON.parse(readFileSync(mark, 'utf8'))) : undefined;
  const span: Span = known ?? { blocks: BLOCKS, days: DAYS, now: Date.now() };
  const started = Date.now();
  const told = (database: string): void => {
    writeFileSync(mark, JSON.stringify({ ...span, database }));
    say(`${storeTitles[name]}: filled in ${Math.round((Date.now() - started) / 1000)} s`);
  };
  if (name === 'sqlite') {
    const path = join(folder, 'console.db');
    if (!known) {
      for (const end of ['', '-wal', '-shm', '-lock']) rmSync(path + end, { force: true });
      await fillSqlite(path, surroundings.folder(), span, say);
      await tally(`sqlite:${path}`, say);
      told(path);
    }
    return { options: { store: `sqlite:${path}` }, span, [Symbol.asyncDispose]: async () => undefined };
  }
  const data = join(folder, 'postgres');
  if (!known) {
    rmSync(data, { recursive: true, force: true });
    const filling = await startPostgres({ folder: data });
    try {
      const address = await fillPostgres(filling, span, say);
      await tally(address, say);
      told(new URL(address).pathname.slice(1));
    } finally {
      await filling.close();
    }
  }
  const { database } = spanFile.parse(JSON.parse(readFileSync(mark, 'utf8')));
  const postgres: TestPostgres = await startPostgres({ fsync: true, folder: data });
  const address = postgres.addressOf(database);
  return {
    options: { store: address, databaseCpu: await postgresCpu(postgres, address) },
    span,
    [Symbol.asyncDispose]: () => postgres.close(),
  };
}

/** Counts what figures are made of, as a relay that runs all the time has done. */
async function tally(address: string, say: (line: string) => void): Promise<void> {
  say('tallies');
  const store = await openStore(address);
  while (await store.stats.refresh(new Date().toISOString()));
  await store.close();
}
