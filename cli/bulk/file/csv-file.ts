import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { codeOf, UsageError } from '../../base/errors.ts';

/** A record of a file, and the line on which it begins. */
type CsvRecord = { line: number; cells: string[] };

/** A file that is read several times from one open handle, so that a replaced file is not read. */
export type CsvFile = {
  path: string;
  delimiter: string;
  hasBom: boolean;
  /** When the file was written last, in milliseconds. */
  writtenMs: number;
  /** Reads the records without empty ones, the heading first. Throws UsageError if the text is not CSV in UTF-8. */
  records(): AsyncGenerator<CsvRecord>;
  /** Throws UsageError if the file has changed since it was opened. */
  checkUnchanged(): Promise<void>;
  /** True for another name of the same file. */
  isAlso(path: string): Promise<boolean>;
  close(): Promise<void>;
};

const PART_BYTES = 64 * 1024;

/** The maximum length of a record. Otherwise a missing quote would make one record of the whole file. */
const MAX_RECORD = 100_000;

/** Opens a file. Detects the delimiter from the heading if none is given. Throws UsageError. */
export async function openCsv(path: string, delimiter?: string): Promise<CsvFile> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw new UsageError(`Cannot read ${path} (${codeOf(error, 'unreadable')}).`);
  });
  const opened = await handle.stat({ bigint: true });
  if (!opened.isFile()) {
    await handle.close();
    throw new UsageError(
      `${path} is no regular file.`,
      'It is read more than once: save the output of a pipe to a file.',
    );
  }
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(PART_BYTES), 0, PART_BYTES, 0);
  const start = buffer.subarray(0, bytesRead);
  const hasBom = start.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
  const found = delimiter ?? delimiterOf(start.toString('utf8'));
  return {
    path,
    delimiter: found,
    hasBom,
    writtenMs: Number(opened.mtimeMs),
    records: () => recordsOf(handle, path, found),
    async checkUnchanged() {
      const now = await handle.stat({ bigint: true });
      if (now.size === opened.size && now.mtimeNs === opened.mtimeNs) return;
      throw new UsageError(
        `${path} was changed while it was being worked on. No more was sent.`,
        'Run the same command again: no row is sent twice.',
      );
    },
    async isAlso(other) {
      const stat = await open(other, 'r').then(
        async (one) => one.stat({ bigint: true }).finally(() => one.close()),
        () => undefined,
      );
      return stat !== undefined && stat.ino === opened.ino && stat.dev === opened.dev;
    },
    close: () => handle.close(),
  };
}

async function* recordsOf(handle: FileHandle, path: string, delimiter: string): AsyncGenerator<CsvRecord> {
  const { parse } = await import('csv-parse');
  const options = { bom: true, info: true, relax_column_count: true, max_record_size: MAX_RECORD, delimiter } as const;
  const parser = parse({ ...options, skip_empty_lines: true });
  // The parser reports errors to its iterator.
  pipeline(Readable.from(partsOf(handle)), parser, () => undefined);
  const parsed: AsyncIterable<{ record: string[]; info: { lines: number } }> = parser;
  let line = 0;
  let doubled = 0;
  try {
    for await (const { record, info } of parsed) {
      const text = record.join('|');
      // The parser counts a CRLF inside quotes as two lines.
      doubled += text.split('\r\n').length - 1;
      line = info.lines - doubled;
      const inside = text.split(/\r\n|\r|\n/).length - 1;
      if (text.includes('\ufffd')) {
        throw new UsageError(`${path}, line ${line - inside}: this is not UTF-8.`, 'Save it as “CSV UTF-8”.');
      }
      const cells = record.map(plainCell);
      if (cells.some((cell) => cell !== '')) yield { line: line - inside, cells };
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // The parser's own message can quote the file.
    throw new UsageError(`${path}, after line ${line}: ${csvProblem(codeOf(error, 'unreadable'))}.`);
  }
}

async function* partsOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PART_BYTES), 0, PART_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A cell without surrounding blanks, and without the `'` that protects it from being read as a formula. */
function plainCell(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r＝＋－＠])/u, '').trim();
}

/** The common delimiter that occurs most often in the heading. */
function delimiterOf(text: string): string {
  const [heading = ''] = text.replace(/^[\ufeff\r\n]+/, '').split(/[\r\n]/, 1);
  const counted = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, parts: heading.split(delimiter).length }));
  return counted.reduce((most, one) => (one.parts > most.parts ? one : most)).delimiter;
}

function csvProblem(code: string): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is not closed';
    case 'CSV_MAX_RECORD_SIZE':
      return 'a row is too long: is a quote not closed?';
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a quote stands inside a cell: write it twice, and quote the cell';
    default:
      return `this is no CSV (${code})`;
  }
}
