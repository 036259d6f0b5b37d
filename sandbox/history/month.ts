import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBooks } from '../gateway/books/books-file.ts';
import type { Snapshot } from '../gateway/books/snapshot.ts';
import type { RelayProcess } from '../relay-process.ts';
import { addOrders } from './add-orders.ts';
import { makeHistory } from './history.ts';

/** The folder of a month of orders that is not in the relay's store yet, beside the store. */
const FOLDER = 'month';

/** The file of a relay's store. */
export const STORE_FILE = 'turnpike.db';

/** The file that marks a store to which a month of orders was added. */
const DONE_FILE = 'month.done';

/** How often progress is reported. */
const PARTS = 5;

type Month = {
  /** The data folder of the relay that gets the orders. */
  dataDir: string;
  apiKey: string;
  /** Starts the relay that makes them, with its own data folder and addresses, and preloads a module. */
  start: (
    addresses: { dataDir: string; webhookUrl: string; gatewayUrl: string },
    preload: string,
  ) => Promise<RelayProcess>;
  /** The address of the relay that gets them. */
  url: string;
  /** Runs work while that relay is stopped. */
  withoutRelay: (work: () => void) => Promise<void>;
  /** Adds a file of records to the gateway's records. */
  addBooks: (file: string) => void;
  say: (line: string) => void;
  signal: AbortSignal;
};

/**
 * True until a month of orders is in the store: from the first start on, or for `any_store` from this start on. The
 * folder of the month lets the next start continue, even after a crash.
 */
export function needsMonth(dataDir: string, of: 'new_store' | 'any_store'): boolean {
  const folder = join(dataDir, FOLDER);
  const done = join(dataDir, DONE_FILE);
  const isNew = !existsSync(join(dataDir, STORE_FILE));
  if (isNew) rmSync(done, { force: true });
  if (isNew || (of === 'any_store' && !existsSync(done))) mkdirSync(folder, { recursive: true });
  return existsSync(folder);
}

/**
 * Makes a month of orders beside a running relay, and adds it to the relay's store and to the gateway's records. A
 * month that an earlier start began is made again from the start. Never rejects: without the month the console has only
 * the shop's orders, and the next start tries again.
 */
export async function addMonth({ say, signal, ...month }: Month): Promise<void> {
  try {
    await make({ say, signal, ...month });
    say('The console has a month of orders now.');
  } catch (error) {
    if (signal.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    say(`The month of orders for the console could not be made (${why}). The next start tries again.`);
  }
}

async function make(month: Month): Promise<void> {
  const { dataDir, withoutRelay, addBooks, signal } = month;
  const folder = join(dataDir, FOLDER);
  const [store, books] = [join(folder, STORE_FILE), join(folder, 'books.json')];
  // Otherwise an earlier start ended between the last two steps.
  if (existsSync(store) || !existsSync(books)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const kept = JSON.stringify(await madeIn(folder, month));
    signal.throwIfAborted();
    await withoutRelay(() => {
      writeFileSync(books, kept, { mode: 0o600 });
      addOrders(store, join(dataDir, STORE_FILE));
    });
  }
  addBooks(books);
  writeFileSync(join(dataDir, DONE_FILE), '');
  rmSync(folder, { recursive: true });
}

/** Makes the month in a folder, and returns the gateway's records of it. */
async function madeIn(folder: string, { apiKey, start, url, say, signal }: Month): Promise<Snapshot> {
  const booksFile = join(folder, 'made.json');
  const made = await makeHistory({
    ...{ apiKey, booksFile, signal },
    start: (addresses, preload) => start({ ...addresses, dataDir: folder }, preload),
    progress: (at, of) => {
      if (at > 0 && at % Math.ceil(of / PARTS) === 0) say(`A month of orders for the console: ${at} of ${of}`);
    },
  });
  const kept = readBooks(booksFile);
  if (!kept) throw new TypeError('the gateway’s books cannot be read');
  // Later notifications go to the relay that then has the orders.
  const payments = kept.payments.map(({ notify_url, ...payment }) => ({
    ...payment,
    ...(notify_url && { notify_url: notify_url.replace(made.url, url) }),
  }));
  return { ...kept, payments };
}
