import { isDeepStrictEqual } from 'node:util';
import { type Client, type OperationAnswer, RelayRefused } from '../../client/index.ts';
import type { Io } from '../base/io.ts';
import type { Layout } from './file/layout.ts';
import { type ItemResult, RELEASED } from './journal/item-result.ts';
import type { Journal } from './journal/journal.ts';
import type { ChunkRecord } from './journal/records.ts';
import { isStillQueried, itemResultsOf } from './operation-results.ts';
import type { Progress } from './progress.ts';
import type { Stop } from './stop.ts';

/** The dependencies of `createOutcomes`. */
export type OutcomesContext = {
  client: Client;
  layout: Layout;
  io: Pick<Io, 'wait'>;
  stop: Stop;
  journal: Journal;
  progress: Progress;
};

/** The pauses between reads at the end of a run, while the relay still queries the gateway. */
const POLLS_MS = [1000, 2000, 4000];

/** Reads the outcomes of chunks from the relay, and writes them into the journal. */
export type Outcomes = ReturnType<typeof createOutcomes>;

/** Creates the reader and writer of a run's outcomes. */
export function createOutcomes({ client, layout, io, stop, journal, progress }: OutcomesContext) {
  /** The chunks whose outcome may be known soon. */
  const stillQueried = new Set<number>();

  /** The results of a chunk's items in an operation. Empty for `settle`, whose decisions are no operations. */
  const resultsOf = (operation: OperationAnswer, chunk: ChunkRecord, isOwnRequest: boolean) =>
    layout.name === 'settle' ? [] : itemResultsOf(operation, chunk, layout, isOwnRequest);

  /** Writes the results of a chunk's items into the journal. */
  const write = async (id: number, items: readonly ItemResult[], operation?: string): Promise<void> => {
    const isFirst = journal.index.chunk(id)?.outcomes === undefined;
    await journal.answer({ id, items: [...items], ...(operation === undefined ? {} : { operation }) });
    if (isFirst) progress.add(items.filter(({ outcome }) => outcome !== 'released').length);
  };

  /** Reads the operation of a chunk. Undefined if the relay has deleted it. After another error the run ends. */
  const readOperation = async (operation: string, id: number): Promise<OperationAnswer | undefined> => {
    stillQueried.delete(id);
    try {
      const found = await client.operations.get(operation);
      if (isStillQueried(found)) stillQueried.add(id);
      return found;
    } catch (error) {
      // The relay deletes an operation after its retention time.
      if (!(error instanceof RelayRefused && error.code === 'not_found')) stop.stop(error);
      return undefined;
    }
  };

  /**
   * Reads the outcome of a chunk's operation, and writes it into the journal if it is new. A known result of an item does not change; a
   * missing one is written as unknown.
   * @param isOwnRequest true if the chunk was sent as this operation
   * @returns the operation, if the relay has it
   */
  const read = async (
    chunk: ChunkRecord,
    operation: string,
    isOwnRequest: boolean,
  ): Promise<OperationAnswer | undefined> => {
    const [found, before] = await Promise.all([readOperation(operation, chunk.id), journal.answerOf(chunk.id)]);
    const wasEarlier = before?.items.some(({ from }) => from === 'earlier_request') ?? false;
    const results = found ? resultsOf(found, chunk, isOwnRequest && !wasEarlier) : [];
    const next = chunk.items.map((_, at): ItemResult => {
      const known = before?.items[at];
      if (known && known.outcome !== 'unknown') return known;
      return results[at] ?? known ?? unknown('the relay does not report its outcome');
    });
    if (!isDeepStrictEqual(next, before?.items)) await write(chunk.id, next, operation);
    return found;
  };

  /** Reads the outcome of a chunk of the journal again. */
  const readAgain = async (id: number): Promise<void> => {
    const operation = journal.index.chunk(id)?.operation;
    if (operation !== undefined) await read(await journal.chunk(id), operation, true);
  };

  return {
    write,
    read,
    readAgain,

    /**
     * The results of a chunk that the relay refused because an earlier operation has some of its items: those items get the results of that
     * operation, the others are released. An item that may have been sent and has no result is unknown.
     * @param index the item that the relay named, if any
     */
    async takeOver(chunk: ChunkRecord, operation: string, index: number | undefined): Promise<ItemResult[]> {
      const found = await readOperation(operation, chunk.id);
      const results = found ? resultsOf(found, chunk, false) : [];
      // If the relay names no item, each of them may have been sent.
      const isAnyNamed = index !== undefined || results.some((result) => result !== undefined);
      return chunk.items.map((_, at) => {
        const mayBeSent = at === index || !isAnyNamed;
        return (
          results[at] ?? (mayBeSent ? unknown('was sent before; the relay does not report its outcome') : RELEASED)
        );
      });
    },

    /** Reads the operations that the relay still queries the gateway about a few more times. Most are known within seconds. */
    async pollStillQueried(): Promise<void> {
      for (const ms of POLLS_MS) {
        if (stillQueried.size === 0 || stop.isStopping) return;
        await stop.pause(io.wait(ms));
        for (const id of [...stillQueried]) {
          if (stop.isStopping) return;
          await readAgain(id);
        }
      }
    },
  };
}

function unknown(message: string): ItemResult {
  return { outcome: 'unknown', message, from: 'own_request' };
}
