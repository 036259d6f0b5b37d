import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { startPostgres } from '../../test/support/stores/postgres.ts';
import { type Figures, type RelayOptions, startSurroundings, steady, type Target } from '../harness/measure.ts';
import { postgresCpu } from '../harness/postgres-cpu.ts';
import { atLeast, atMost, type Benchmark, type Report, type Say } from '../harness/report.ts';
import { compared, medianOf } from '../harness/rounds.ts';
import { type StoreName, storeNames, storeTitles } from '../harness/stores.ts';
import { type Filling, fillPostgres, fillSqlite } from './fill.ts';

const ROUNDS = 5;
const DAY_MS = 86_400_000;

/** Two million orders of ninety days, half of which are too old. */
const [ORDERS, DAYS, RETENTION_DAYS] = [2_000_000, 90, 45];

/** The payments during retention, and how long retention is measured alone. */
const LOAD = steady(50, 6);
const ALONE_MS = 5000;

/** The file beside a kept store that describes it. */
const mark = z.object({ orders: z.number(), days: z.number(), now: z.number(), address: z.string() });

/** A filled store: a relay's options to use it, and a function for the time of its oldest session, in milliseconds since 1970. */
type Filled = { options: RelayOptions; filling: Filling; oldest(): Promise<number> } & AsyncDisposable;

/** The rate at which retention deletes sessions from a store of two million, alone and during payments, and the latency of these. */
export const retention: Benchmark = async (say, { only = [], rounds = ROUNDS, keep } = {}) => {
  const report: Report = { rows: [], aims: [], notes };
  for (const name of storeNames.filter((one) => only.length === 0 || only.includes(one))) {
    const surroundings = await startSurroundings();
    try {
      await using filled = await filledBy(name, keep ?? surroundings.folder(), say);
      const relay = await surroundings.relay(filled.options);
      await measure(report, storeTitles[name], { relay, filled, rounds, say });
      await relay.stop();
    } finally {
      await surroundings.stop();
    }
  }
  return report;
};

async function measure(
  report: Report,
  title: string,
  { relay, filled, rounds, say }: { relay: Target; filled: Filled; rounds: number; say: Say },
): Promise<void> {
  /** Runs `work` with retention on. Also returns the sessions that were deleted a second. */
  const deleted = async <Result>(work: () => Promise<Result>): Promise<[Result, number]> => {
    const [oldest, start] = [await filled.oldest(), performance.now()];
    await relay.retain(RETENTION_DAYS);
    const result = await work();
    await relay.retain(0);
    const every = (filled.filling.days * DAY_MS) / filled.filling.orders;
    return [result, ((await filled.oldest()) - oldest) / every / ((performance.now() - start) / 1000)];
  };
  const pause = (): Promise<void> => new Promise((done) => setTimeout(done, ALONE_MS));
  await relay.run(LOAD);
  const [without, beside]: [Figures[], Figures[]] = [[], []];
  const [alone, busy]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round++) {
    say(`${title}, round ${round} of ${rounds}`);
    without.push(await relay.run(LOAD));
    const [figures, rate] = await deleted(() => relay.run(LOAD));
    beside.push(figures);
    busy.push(rate);
    alone.push((await deleted(pause))[1]);
  }
  const middle = (rates: readonly number[]): number => rates.toSorted((a, b) => a - b)[rates.length >> 1] ?? 0;
  const row = (runs: readonly Figures[]): Record<string, number> => ({
    'p50 ms': medianOf(runs, ({ p50_ms }) => p50_ms),
    'p99 ms': medianOf(runs, ({ p99_ms }) => p99_ms),
  });
  report.rows.push(
    { what: `${title}: payments alone (baseline)`, figures: row(without) },
    {
      what: `${title}: payments beside retention`,
      figures: { ...row(beside), 'sessions deleted per s': middle(busy) },
    },
    { what: `${title}: retention alone`, figures: { 'sessions deleted per s': middle(alone) } },
  );
  report.aims.push(
    atLeast(`${title}: sessions deleted a second`, middle(alone), 5000),
    atMost(
      `${title}: p99 of payments beside retention, × alone`,
      compared(beside, without, (own, base) => own.p99_ms / base.p99_ms),
      1.2,
    ),
  );
}

/** A filled store in this folder: the one that is kept there, or a new one. */
async function filledBy(name: StoreName, folder: string, say: Say): Promise<Filled> {
  mkdirSync(folder, { recursive: true });
  const markFile = join(folder, `retention-${name}.json`);
  const known = existsSync(markFile) ? mark.parse(JSON.parse(readFileSync(markFile, 'utf8'))) : undefined;
  const filling: Filling = known ?? { orders: ORDERS, days: DAYS, now: Date.now() };
  const filledAs = (address: string): string => {
    if (!known) writeFileSync(markFile, JSON.stringify({ ...filling, address }));
    return known?.address ?? address;
  };
  const timeOf = (row: Record<string, unknown> | undefined): number => Date.parse(String(row?.oldest));
  // Without the order that was copied, which is older than all copies.
  const oldestText = (schema: string): string =>
    `SELECT min(created_at) AS oldest FROM ${schema}sessions WHERE created_at > '${new Date(filling.now - 2 * filling.days * DAY_MS).toISOString()}'`;
  if (!known) say(`${storeTitles[name]}: filling`);
  if (name === 'sqlite') {
    const path = join(folder, 'retention.db');
    if (!known) {
      for (const end of ['', '-wal', '-shm', '-lock']) rmSync(path + end, { force: true });
      await fillSqlite(path, filling);
    }
    const oldest = async (): Promise<number> => {
      const db = new DatabaseSync(path, { readOnly: true });
      try {
        return timeOf(db.prepare(oldestText('')).get());
      } finally {
        db.close();
      }
    };
    return {
      options: { store: `sqlite:${filledAs(path)}` },
      filling,
      oldest,
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const postgres = await startPostgres({ fsync: true, folder: join(folder, 'retention-postgres') });
  const address = postgres.addressOf(
    filledAs(known ? '' : new URL(await fillPostgres(postgres, filling)).pathname.slice(1)),
  );
  return {
    options: { store: address, databaseCpu: await postgresCpu(postgres, address) },
    filling,
    oldest: async () => timeOf((await postgres.query(address, oldestText('turnpike.')))[0]),
    [Symbol.asyncDispose]: () => postgres.close(),
  };
}

const notes = [
  `A store of ${ORDERS} paid orders of ${DAYS} days, of which those older than ${RETENTION_DAYS} are deleted: each with a session, an attempt, a webhook, its listed payment and eleven terms of the list.`,
  'Payments are an open loop of 50 a second, the gateway takes 50 ms. Rounds with and without retention alternate on one relay; ratios are of each round.',
  'The rate is that of sessions. Retention deletes webhooks in the same time.',
];
