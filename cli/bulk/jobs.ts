import type { Layout } from './file/layout.ts';
import type { Row } from './file/rows.ts';
import type { Outcome } from './journal/item-result.ts';
import type { Journal } from './journal/journal.ts';

/** One step of a run. */
export type Job =
  /** Sends rows in a new chunk. `tries` counts their refusals. */
  | { kind: 'send'; rows: readonly Pick<Row, 'reference' | 'item'>[]; tries: number }
  /** Repeats a chunk of the journal unchanged, because it has no answer. */
  | { kind: 'repeat'; id: number }
  /** Reads the outcome of a chunk of the journal again. */
  | { kind: 'read_again'; id: number };

/** Whether a row that the journal has with this outcome goes into a request of this run. */
export function isToSend(outcome: Outcome | undefined): boolean {
  return outcome === 'refused' || outcome === 'released';
}

/** The jobs of a run: first the chunks of earlier runs without an outcome, then the rows in new chunks. */
export async function* jobsOf(
  { index }: Pick<Journal, 'index'>,
  { limit }: Pick<Layout, 'limit'>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Job> {
  const [unanswered, unknown, firstOfRun] = [index.unanswered(), index.unknown(), index.length];
  // The worker that sends a chunk also sends the rows that are released from it.
  const repeated = new Set(unanswered);
  for (const id of unanswered) yield { kind: 'repeat', id };
  for (const id of unknown) yield { kind: 'read_again', id };
  let next: Row[] = [];
  let tries = 0;
  for await (const row of rows) {
    const known = index.find(row.id);
    if (known && (known.chunk >= firstOfRun || repeated.has(known.chunk) || !isToSend(known.outcome))) continue;
    tries = Math.max(tries, known?.outcome === 'refused' ? known.tries + 1 : (known?.tries ?? 0));
    next.push(row);
    if (next.length < limit) continue;
    yield { kind: 'send', rows: next, tries };
    next = [];
    tries = 0;
  }
  if (next.length > 0) yield { kind: 'send', rows: next, tries };
}

/** Distributes values to several readers in order, and prefetches `count` of them. Returns undefined at the end. */
export function readAhead<Value>(values: AsyncGenerator<Value>, count: number): () => Promise<Value | undefined> {
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
