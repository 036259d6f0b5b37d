import { open, rename, stat } from 'node:fs/promises';
import { CliError, EXIT, UsageError } from '../base/errors.ts';

/** A file that is written line by line, and bears its name only once it is whole. What cannot be written is a CliError. */
type CsvFile = {
  write(line: string): Promise<void>;
  finish(): Promise<void>;
  /** What was written stays beside it, under the name with `.part`. */
  abandon(): Promise<void>;
};

/** Begins a file. Throws UsageError where it cannot be written. */
export async function beginCsv(path: string, head: string): Promise<CsvFile> {
  // A device or a pipe would be replaced.
  const isOther = await stat(path).then(
    (found) => !found.isFile(),
    () => false,
  );
  if (isOther)
    throw new UsageError(
      `${path} is no regular file.`,
      'Give another one with --csv. Without it, all goes to the standard output.',
    );
  const part = `${path}.part`;
  const file = await open(part, 'w').catch((error: unknown) => {
    throw new UsageError(`Cannot write ${part}${codeOf(error)}.`);
  });
  const written = <Result>(writing: Promise<Result>): Promise<Result> =>
    writing.catch((error: unknown) => {
      throw new CliError('csv_not_written', `${path} cannot be written${codeOf(error)}.`, { exitCode: EXIT.unknown });
    });
  await written(file.write(head));
  return {
    write: async (line) => void (await written(file.write(line))),
    finish: async () => {
      await written(file.close());
      await written(rename(part, path));
    },
    abandon: () => file.close(),
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
}
