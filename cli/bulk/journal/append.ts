import type { FileHandle } from 'node:fs/promises';
import { CliError, codeOf, EXIT } from '../../base/errors.ts';
import { type JournalRecord, lineOf, type Place } from './records.ts';

/** A record that waits to be written. */
type Waiting = { line: Buffer; isSynced: boolean; written(place: Place): void; failed(error: Error): void };

/**
 * Creates a function that appends records to a file of `size` bytes, in the order of its calls. Records that arrive during a sync are
 * synced together. After a failed write it refuses all others, because part of a record may be in the file.
 */
export function appender(handle: FileHandle, path: string, size: number) {
  let end = size;
  let waiting: Waiting[] = [];
  let isWriting = false;
  let failure: Error | undefined;

  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        if (failure) throw failure;
        await handle.appendFile(Buffer.concat(batch.map(({ line }) => line)));
        if (batch.some(({ isSynced }) => isSynced)) await handle.datasync();
        for (const { line, written } of batch) {
          written({ at: end, size: line.length });
          end += line.length;
        }
      } catch (error) {
        failure ??= notWritten(path, error);
        for (const { failed } of batch) failed(failure);
      }
    }
    isWriting = false;
  };

  return (record: JournalRecord, isSynced: boolean): Promise<Place> =>
    new Promise((written, failed) => {
      waiting.push({ line: lineOf(record), isSynced, written, failed });
      if (!isWriting) void writeAll();
    });
}

/** The error of a journal that cannot be written. */
function notWritten(path: string, error: unknown): CliError {
  return new CliError('journal_not_written', `The journal ${path} cannot be written (${codeOf(error)}).`, {
    exitCode: EXIT.refused,
    hint: 'Make room for it and run the same command again: no row is sent twice.',
  });
}
