import { RelayRefused } from '../../client/index.ts';
import { CliError, EXIT } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { isContentFault, withRetries } from './retry.ts';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1000;

/** A part of the period, in milliseconds, and the number of the gateway's records in it. */
type Slice<Answer> = { answer: Answer; until: number };

/**
 * A slice with fewer records than `FEW` makes the next one longer, one with more than `MANY` makes it shorter: an
 * answer must fit into the memory of the command and of the relay.
 */
const FEW = 500;
const MANY = 2000;

/**
 * Reads a period in slices, oldest first, each as long as the gateway can answer at once. If an answer is late or
 * unusable, the slice is made shorter, and also if it has a round number of records, because a gateway may limit the
 * number. A slice exceeds its ends by a second, because the gateway counts whole seconds. Throws the errors of the
 * reads, and CliError if even a second has a round number of records.
 */
export async function* slicesOf<Answer extends { records: number }>(
  io: Io,
  { from, to }: { from: number; to: number },
  read: (start: number, end: number) => Promise<Answer>,
): AsyncGenerator<Slice<Answer>, void, undefined> {
  let width = HOUR_MS;
  for (let start = from; start < to; ) {
    const until = Math.min(start + width, to);
    const isShortest = until - start <= SECOND_MS;
    const [begin, end] = [start - SECOND_MS, until + SECOND_MS];
    const answer = isShortest ? await withRetries(io, () => read(begin, end)) : await readIfPossible(read, begin, end);
    if (isShortest && answer && isPerhapsCapped(answer)) throw capped(answer.records);
    if (answer === undefined || isPerhapsCapped(answer)) {
      width = Math.max(SECOND_MS, Math.floor((until - start) / 4 / SECOND_MS) * SECOND_MS);
      continue;
    }
    yield { answer, until };
    start = until;
    if (answer.records < FEW) width *= 2;
    else if (answer.records > MANY) width = Math.max(SECOND_MS, width / 2);
  }
}

/** Undefined if a shorter slice may be answered. Throws other errors. */
async function readIfPossible<Answer>(
  read: (start: number, end: number) => Promise<Answer>,
  start: number,
  end: number,
): Promise<Answer | undefined> {
  try {
    return await read(start, end);
  } catch (error) {
    const isSlow = error instanceof RelayRefused && error.code === 'gateway_timeout';
    if (isSlow || isContentFault(error)) return undefined;
    throw error;
  }
}

function isPerhapsCapped({ records }: { records: number }): boolean {
  return records > 0 && records % 100 === 0;
}

function capped(records: number): CliError {
  return new CliError('gateway_answers_capped', `The gateway returns at most ${records} payments.`, {
    exitCode: EXIT.unknown,
  });
}
