import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { ProblemError } from '../base/errors.ts';
import { failureFields, type Logger } from '../base/log.ts';
import { createSemaphore } from '../base/semaphore.ts';

/** A file of CSV: its account, its name without the ending (ASCII without quotes), and the headings of its columns. */
type CsvFile = { account: string; name: string; columns: readonly string[] };

type Page = readonly (readonly string[])[];
type Pages = AsyncGenerator<Page, void>;

/** Sends files of CSV. */
export type SendCsv = (res: Response, file: CsvFile, pages: Pages) => Promise<void>;

/** The pause between two pages, many times as long as one takes to read: payments need the time. */
const PAUSE_MS = 20;

/** The maximum number of files of one account at the same time. */
const MAX_FILES = 5;

/** The maximum time, in milliseconds, in which a client may read nothing of a file. */
const MAX_STALL_MS = 120_000;

/** The number of listeners of an answer for one event above which Node warns of a leak. */
const MAX_LISTENERS = 20;

/** The name of an account's file, such as `orders-demo-2027-03-31`. */
export function csvFileName(list: string, account: string, now: Date): string {
  return `${list}-${account}-${now.toISOString().slice(0, 10)}`;
}

/** True if a request asks for CSV: by `format`, or else by `Accept`. */
export function wantsCsv(req: Request, format: 'json' | 'csv' | undefined): boolean {
  return format === undefined ? req.accepts(['application/json', 'text/csv']) === 'text/csv' : format === 'csv';
}

/**
 * Returns a function that sends CSV files (RFC 4180), page by page as fast as the client reads. For all files together, one page is read
 * at a time, with a pause after it. The function is fulfilled when a file has begun: a relay that stops does not wait for its end. It
 * throws ProblemError `too_many_attempts`, and the errors of the first page. If a later page cannot be read, the answer breaks off, so
 * that the client detects the missing part.
 */
export function createCsvSender(log: Logger): SendCsv {
  const turns = createSemaphore(1);
  const open = new Map<string, number>();

  const nextOf = async (pages: Pages, res: Response): Promise<IteratorResult<Page, void>> => {
    const turn = await turns.acquire(randomUUID());
    try {
      return res.closed ? { done: true, value: undefined } : await pages.next();
    } finally {
      setTimeout(turn.release, PAUSE_MS);
    }
  };

  const opened = (res: Response, account: string): void => {
    const count = open.get(account) ?? 0;
    if (count >= MAX_FILES) throw tooManyFiles();
    open.set(account, count + 1);
    res.once('close', () => {
      const left = (open.get(account) ?? 1) - 1;
      if (left > 0) open.set(account, left);
      else open.delete(account);
    });
  };

  return async (res, { account, name, columns }, pages) => {
    if (res.closed) return;
    opened(res, account);
    const first = await nextOf(pages, res);
    res.vary('Accept').set({
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'no-store',
    });
    if (res.req.method === 'HEAD') return void res.end();
    const texts = async function* (): AsyncGenerator<string, void> {
      yield csvLine(columns);
      try {
        for (let page = first; !page.done; page = await nextOf(pages, res)) {
          if (page.value.length > 0) yield page.value.map(csvLine).join('');
        }
      } finally {
        await pages.return();
      }
    };
    res.setTimeout(MAX_STALL_MS, () => res.destroy());
    // The pipeline alone adds seven listeners for `close`; Node warns of more than ten.
    res.setMaxListeners(MAX_LISTENERS);
    pipeline(Readable.from(texts(), { highWaterMark: 1 }), res).catch((error: unknown) => {
      if (!isGone(error)) log.error({ name, ...failureFields(error) }, 'CSV broken off');
    });
  };
}

/**
 * The lines of a list, page by page.
 * @param read returns the page that begins at the `next` of the page before
 */
export async function* linesOf<ListPage extends { next?: string | undefined }>(
  read: (before: string | undefined) => Promise<ListPage>,
  cellsOf: (page: ListPage) => string[][],
  before?: string,
): Pages {
  for (let at = before, isFirst = true; isFirst || at !== undefined; isFirst = false) {
    const page = await read(at);
    yield cellsOf(page);
    at = page.next;
  }
}

/** The columns of a list: the heading of each, and its cell of an entry. */
export type CsvColumns<Entry> = readonly (readonly [
  name: string,
  cell: (entry: Entry) => string | number | undefined,
])[];

/** An entry as a line of these columns. */
export function cellsIn<Entry>(columns: CsvColumns<Entry>, entry: Entry): string[] {
  return columns.map(([, cell]) => String(cell(entry) ?? ''));
}

function tooManyFiles(): ProblemError {
  return new ProblemError('too_many_attempts', 'Too many files are being saved. Try again when one of them is whole.', {
    headers: { 'Retry-After': '30' },
  });
}

/** True if the client disconnected or stopped reading. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** A line of CSV. */
export function csvLine(values: readonly string[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/**
 * A value as a cell that no spreadsheet reads as a formula, even a spreadsheet that splits cells at `;` or tabs.
 * Direction marks, which would reverse the rest of the line, become visible signs.
 */
function cell(value: string): string {
  if (/^-?\d{1,30}(\.\d{1,30})?$/.test(value)) return value;
  const seen = value.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
  const safe = seen
    .split(/(?<=[;\t\r\n])/)
    .map((part, at) => (isFormula(part) || (at === 0 && /^[\t\r\n]/.test(part)) ? `'${part}` : part))
    .join('');
  return /[",;\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** True for the beginning of a formula, also with full-width signs or after invisible ones. */
function isFormula(text: string): boolean {
  return /^[\s"\p{Cc}\p{Cf}]*[=+\-@|%]/u.test(text.normalize('NFKC'));
}
