import { open, rename } from 'node:fs/promises';
import { UsageError } from '../base/errors.ts';

/** A file that is written line by line, and bears its name only once it is whole. */
export type CsvFile = {
  write(line: string): Promise<void>;
  finish(): Promise<void>;
  /** What was written stays beside it, under the name with `.part`. */
  abandon(): Promise<void>;
};

/** Begins a file. Throws UsageError where it cannot be written. */
export async function beginCsv(path: string, head: string): Promise<CsvFile> {
  const part = `${path}.part`;
  const file = await open(part, 'w').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new UsageError(`Cannot write ${part}${code}.`);
  });
  await file.write(head);
  return {
    write: async (line) => void (await file.write(line)),
    finish: async () => {
      await file.close();
      await rename(part, path);
    },
    abandon: () => file.close(),
  };
}
