import { deliver, type Sender } from './deliver.ts';
import type { Row } from './file/rows.ts';
import { type Job, jobsOf, readAhead } from './jobs.ts';
import { type ItemResult, ofEarlierRequest, RELEASED, SUCCEEDED } from './journal/item-result.ts';
import type { ChunkRecord } from './journal/records.ts';
import { createOutcomes, type OutcomesContext } from './outcomes.ts';

/** The dependencies of a run. */
type Work = Sender &
  OutcomesContext & {
    /** The rows of the file in order. */
    rows(): AsyncIterable<Row>;
    /** Throws if the file has changed since it was checked. */
    checkUnchanged(): Promise<void>;
    concurrency: number;
  };

/** The pauses after the first HTTP 429 of the gateway, the second and so on. The last pause repeats. */
const SLOWER_MS = [2000, 5000, 10_000, 30_000, 60_000];

/** The maximum number of new keys for a chunk whose key the relay has for another request. */
const MAX_TRIES = 20;

/**
 * Sends all rows that remain to be sent, and writes the outcomes into the journal. When `stop` is set, it sends no new request, waits for
 * those in progress, and ends without an error.
 */
export async function runAll(work: Work): Promise<void> {
  const { journal, stop, concurrency } = work;
  const outcomes = createOutcomes(work);
  const nextJob = readAhead(jobsOf(journal, work.layout, work.rows()), concurrency);
  const pace = createPace(work);
  const reads = new Set<Promise<void>>();

  const doJob = async (job: Job): Promise<void> => {
    if (job.kind === 'read_again') return outcomes.readAgain(job.id);
    await pace.wait();
    if (stop.isStopping) return;
    if (job.kind === 'repeat') return send(await journal.chunk(job.id), true);
    await work.checkUnchanged();
    await send(await journal.begin(job.rows, job.tries), false);
  };

  const send = async (chunk: ChunkRecord, isRepeated: boolean): Promise<void> => {
    const delivered = await deliver(chunk, work);
    switch (delivered.kind) {
      case 'operation':
        return startReading(chunk, delivered.id, isRepeated || !delivered.isReplayed);
      case 'settled': {
        const isEarlier = !isRepeated && delivered.isReplayed;
        return outcomes.write(chunk.id, [isEarlier ? ofEarlierRequest(SUCCEEDED, delivered.at) : SUCCEEDED]);
      }
      case 'reference_used': {
        const { operation, index } = delivered;
        return writeAndSendReleased(chunk, await outcomes.takeOver(chunk, operation, index), operation);
      }
      case 'items_refused':
        return writeAndSendReleased(chunk, refusedOrReleased(chunk, delivered.messages));
      case 'key_reused':
        if (chunk.tries > MAX_TRIES) return stop.stop(delivered.error);
        return writeAndSendReleased({ ...chunk, tries: chunk.tries + 1 }, allReleased(chunk));
      case 'not_sent':
        // An earlier run may have sent it.
        if (!isRepeated || delivered.isOfItems) await outcomes.write(chunk.id, allReleased(chunk));
        return stop.stop(delivered.error);
      case 'no_answer':
        return stop.stop(delivered.error);
    }
  };

  /** Reads the outcome of a chunk while its worker sends the next one. Waits only while too many reads are in progress. */
  const startReading = async (chunk: ChunkRecord, operation: string, isOwnRequest: boolean): Promise<void> => {
    const read = outcomes
      .read(chunk, operation, isOwnRequest)
      .then((found) => pace.note(found?.evidence?.http_status))
      .catch((error: unknown) => stop.stop(error))
      .finally(() => reads.delete(read));
    reads.add(read);
    if (reads.size > concurrency) await Promise.race(reads);
  };

  /** Writes results into the journal, and sends the released items in another request. */
  const writeAndSendReleased = async (
    chunk: ChunkRecord,
    results: readonly ItemResult[],
    operation?: string,
  ): Promise<void> => {
    await outcomes.write(chunk.id, results, operation);
    const rows = chunk.items.flatMap((item, index) => {
      const reference = chunk.references[index];
      return results[index]?.outcome === 'released' && reference !== undefined ? [{ item, reference }] : [];
    });
    if (rows.length > 0) await doJob({ kind: 'send', rows, tries: chunk.tries });
  };

  const worker = async (): Promise<void> => {
    try {
      for (let job = await nextJob(); job && !stop.isStopping; job = await nextJob()) await doJob(job);
    } catch (error) {
      stop.stop(error);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await Promise.all(reads);
  await outcomes.pollStillQueried();
}

function allReleased({ items }: ChunkRecord): ItemResult[] {
  return items.map(() => RELEASED);
}

/** The results of a chunk that was refused because of some items: those with a message are refused, the others released. */
function refusedOrReleased({ items }: ChunkRecord, messages: ReadonlyMap<number, string>): ItemResult[] {
  return items.map((_, index) => {
    const message = messages.get(index);
    return message === undefined ? RELEASED : { outcome: 'refused', message, from: 'own_request' };
  });
}

/** Delays new requests while the gateway answers HTTP 429. */
function createPace({ io, stop }: Pick<Work, 'io' | 'stop'>) {
  let limited = 0;
  let pause = Promise.resolve();
  return {
    /** Waits until the next request may be sent. */
    wait: () => pause,
    /** Takes note of the status with which the gateway answered. */
    note(httpStatus: number | undefined): void {
      if (httpStatus !== 429) {
        limited = 0;
        return;
      }
      const ms = SLOWER_MS[Math.min(limited, SLOWER_MS.length - 1)] ?? 0;
      limited += 1;
      pause = stop.pause(io.wait(ms));
    },
  };
}
