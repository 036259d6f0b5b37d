import { type OperationAnswer, RelayRefused } from '../../client/index.ts';
import type { Io } from '../base/io.ts';
import { deliver, type Sender } from './deliver.ts';
import type { Journal } from './journal.ts';
import type { ChunkRecord, Outcome } from './journal-records.ts';
import type { Progress } from './progress.ts';
import { DONE_BEFORE, type ItemResult, isBeingFoundOut, itemResultsOf } from './results.ts';
import type { Row } from './rows.ts';

/** What a run works with. */
type Work = Sender & {
  io: Pick<Io, 'wait'>;
  journal: Journal;
  /** The rows of the file, in their order. */
  rows(): AsyncIterable<Row>;
  /** Throws where the file is not what was checked. */
  checkUnchanged(): Promise<void>;
  concurrency: number;
  progress: Progress;
  /** The chunks whose outcome the gateway is being asked for. */
  open: Set<number>;
};

/** The rows of a new chunk, with how often they were refused; a chunk of the journal to repeat; one to ask about. */
type Job =
  | { kind: 'send'; rows: readonly Pick<Row, 'reference' | 'item'>[]; tries: number }
  | { kind: 'repeat'; id: number }
  | { kind: 'poll'; id: number };

/** Between polls of what the gateway is being asked about, at the end of a run. */
const POLLS_MS = [1000, 2000, 4000];

/** The pauses after the first HTTP 429, the second and so on; the last one after all later ones. */
const SLOWER_MS = [2000, 5000, 10_000, 30_000, 60_000];

/** How many keys are tried for one chunk. */
const MAX_TRIES = 20;

/** Whether a row that the journal has with this outcome goes into a request of this run. */
export function isToSend(outcome: Outcome | undefined): boolean {
  return outcome === 'refused' || outcome === 'released';
}

/**
 * Sends everything that is to be sent, and writes down its outcome. Ends early, without an error, when `stop` says so: then what is
 * under way has been waited for, and the rest is not begun.
 */
export async function runAll(given: Omit<Work, 'open'>): Promise<void> {
  const work: Work = { ...given, open: new Set() };
  const { journal, stop, concurrency } = work;
  const jobs = readAhead(jobsOf(work), concurrency);
  const reading = new Set<Promise<void>>();
  const pace = { slower: 0, gate: Promise.resolve() };

  /** Reads the outcome of a chunk while the next one is sent, so that it costs no time. */
  const readBeside = async (chunk: ChunkRecord, operation: string, isOwn: boolean): Promise<void> => {
    const read = readOutcome(work, chunk, operation, isOwn).then((answer) => {
      if (answer?.evidence?.http_status === 429) slowDown();
      else pace.slower = 0;
    });
    const kept = read.catch((error: unknown) => stop.stop(error)).finally(() => reading.delete(kept));
    reading.add(kept);
    if (reading.size > concurrency) await Promise.race(reading);
  };

  const slowDown = (): void => {
    const ms = SLOWER_MS[Math.min(pace.slower, SLOWER_MS.length - 1)] ?? 0;
    pace.slower += 1;
    pace.gate = stop.pause(work.io.wait(ms));
  };

  const doJob = async (job: Job): Promise<void> => {
    if (job.kind === 'poll') return readAgain(work, job.id);
    await pace.gate;
    if (stop.isStopping) return;
    if (job.kind === 'repeat') return afterwards(await journal.chunk(job.id), true);
    await work.checkUnchanged();
    await afterwards(await journal.begin(job.rows, job.tries), false);
  };

  const afterwards = async (chunk: ChunkRecord, isRepeated: boolean): Promise<void> => {
    const delivered = await deliver(chunk, work);
    switch (delivered.kind) {
      case 'operation':
        return readBeside(chunk, delivered.id, isRepeated || !delivered.isReplayed);
      case 'reference_used':
        return goOn(chunk, await takenOver(work, chunk, delivered.operation, delivered.index), delivered.operation);
      case 'items_refused': {
        const { messages } = delivered;
        return goOn(
          chunk,
          chunk.items.map((_, index) => {
            const message = messages.get(index);
            return message === undefined ? RELEASED : { outcome: 'refused', message };
          }),
        );
      }
      case 'key_reused':
        if (chunk.tries > MAX_TRIES) return stop.stop(delivered.error);
        return goOn(
          { ...chunk, tries: chunk.tries + 1 },
          chunk.items.map(() => RELEASED),
        );
      case 'not_sent':
        // An earlier run may have sent it.
        if (!isRepeated || delivered.isOfItems)
          await write(
            work,
            chunk,
            chunk.items.map(() => RELEASED),
          );
        return stop.stop(delivered.error);
      case 'no_answer':
        return stop.stop(delivered.error);
    }
  };

  /** Writes results down, and sends the items that were refused only because of others. */
  const goOn = async (chunk: ChunkRecord, itemResults: readonly ItemResult[], operation?: string): Promise<void> => {
    await write(work, chunk, itemResults, operation);
    const rows = chunk.items.flatMap((item, index) => {
      const reference = chunk.references[index];
      return itemResults[index]?.outcome === 'released' && reference !== undefined ? [{ item, reference }] : [];
    });
    if (rows.length > 0) await doJob({ kind: 'send', rows, tries: chunk.tries });
  };

  const worker = async (): Promise<void> => {
    try {
      for (let job = await jobs(); job && !stop.isStopping; job = await jobs()) await doJob(job);
    } catch (error) {
      stop.stop(error);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await Promise.all(reading);
  await pollOpen(work);
}

const RELEASED: ItemResult = { outcome: 'released' };

/** What earlier runs left over first, then new chunks. */
async function* jobsOf({ journal: { index }, layout, rows }: Work): AsyncGenerator<Job> {
  const [unanswered, unknown, firstOwn] = [index.unanswered(), index.unknown(), index.length];
  // The worker that sends a chunk goes on with the rows that are released from it.
  const own = new Set(unanswered);
  for (const id of unanswered) yield { kind: 'repeat', id };
  for (const id of unknown) yield { kind: 'poll', id };
  let next: Row[] = [];
  let tries = 0;
  for await (const row of rows()) {
    const known = index.find(row.id);
    if (known && (known.chunk >= firstOwn || own.has(known.chunk) || !isToSend(known.outcome))) continue;
    tries = Math.max(tries, known?.outcome === 'refused' ? known.tries + 1 : (known?.tries ?? 0));
    next.push(row);
    if (next.length < layout.limit) continue;
    yield { kind: 'send', rows: next, tries };
    next = [];
    tries = 0;
  }
  if (next.length > 0) yield { kind: 'send', rows: next, tries };
}

/** Gives one value after the other to several readers, and has the next few ready; undefined at the end. */
function readAhead<Value>(values: AsyncGenerator<Value>, count: number): () => Promise<Value | undefined> {
  const read = async (): Promise<Value | undefined> => {
    const next = await values.next();
    return next.done ? undefined : next.value;
  };
  const ready: Promise<Value | undefined>[] = [];
  return async () => {
    while (ready.length <= count) {
      const next = read();
      // The worker that takes it gets the error.
      next.catch(() => undefined);
      ready.push(next);
    }
    return ready.shift();
  };
}

/** What another operation tells of the items that it had; the others go on. */
async function takenOver(
  work: Work,
  chunk: ChunkRecord,
  operation: string,
  index: number | undefined,
): Promise<ItemResult[]> {
  const found = await ask(work, operation, chunk);
  const itemResults = found ? itemResultsOf(found, chunk, work.layout, false) : [];
  const lost: ItemResult = {
    outcome: 'unknown',
    message: 'was sent before; the relay does not tell its outcome',
  };
  const isNamed = itemResults.some((itemResult) => itemResult !== undefined) || index !== undefined;
  return chunk.items.map((_, at) => itemResults[at] ?? (at === index || !isNamed ? lost : RELEASED));
}

/** Reads the outcomes of a chunk's items, and writes them down. */
async function readOutcome(
  work: Work,
  chunk: ChunkRecord,
  operation: string,
  isOwn: boolean,
): Promise<OperationAnswer | undefined> {
  const [found, before] = await Promise.all([ask(work, operation, chunk), work.journal.answerOf(chunk.id)]);
  const wasOwn = !before?.items.some(({ message }) => message?.startsWith(DONE_BEFORE));
  const itemResults = found ? itemResultsOf(found, chunk, work.layout, isOwn && wasOwn) : [];
  const unknown: ItemResult = { outcome: 'unknown', message: 'the relay does not tell its outcome' };
  const next = chunk.items.map((_, at) => {
    const known = before?.items[at];
    return known && known.outcome !== 'unknown' ? known : (itemResults[at] ?? known ?? unknown);
  });
  if (JSON.stringify(next) !== JSON.stringify(before?.items)) await write(work, chunk, next, operation);
  return found;
}

/** Asks again about a chunk of which something is unknown. */
async function readAgain(work: Work, id: number): Promise<void> {
  const operation = work.journal.index.chunk(id)?.operation;
  if (operation !== undefined) await readOutcome(work, await work.journal.chunk(id), operation, true);
}

/** Looks a few more times at what the gateway is being asked about: mostly it is known in a moment. */
async function pollOpen(work: Work): Promise<void> {
  for (const ms of POLLS_MS) {
    if (work.open.size === 0 || work.stop.isStopping) return;
    await work.stop.pause(work.io.wait(ms));
    for (const id of [...work.open]) {
      if (work.stop.isStopping) return;
      await readAgain(work, id);
    }
  }
}

/** What the relay tells of an operation; `open` has the chunk while more may be known soon. */
async function ask(
  { client, stop, open }: Work,
  operation: string,
  { id }: ChunkRecord,
): Promise<OperationAnswer | undefined> {
  open.delete(id);
  try {
    const found = await client.operations.get(operation);
    if (isBeingFoundOut(found)) open.add(id);
    return found;
  } catch (error) {
    // Forgotten after its time. Anything else is a relay that tells nothing now.
    if (!(error instanceof RelayRefused && error.code === 'not_found')) stop.stop(error);
    return undefined;
  }
}

async function write(
  { journal, progress }: Work,
  { id }: ChunkRecord,
  items: readonly ItemResult[],
  operation?: string,
): Promise<void> {
  const isFirst = journal.index.chunk(id)?.outcomes === undefined;
  await journal.answer({ id, items: [...items], ...(operation === undefined ? {} : { operation }) });
  if (isFirst) progress.add(items.filter(({ outcome }) => outcome !== 'released').length);
}
