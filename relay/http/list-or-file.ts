import type { Request, Response } from 'express';
import type { Context } from '../context/context.ts';
import { writeExport } from './audit.ts';
import { type CsvColumns, cellsIn, createCsvSender, csvFileName, linesOf, wantsCsv } from './csv.ts';

/** How many entries of a file are read at a time, if a list does not say. */
const FILE_PAGE = 100;

type ListQuery = { format?: 'json' | 'csv' | undefined; limit: number; before?: string | undefined };

/** A request for a list. */
type AskedList<Query extends ListQuery> = { req: Request; res: Response; query: Query; account: { id: string } };

/** A list: how a page of it is read, and how it is saved. */
type SavedList<Query extends ListQuery, Page, Entry> = {
  /** What the name of the file begins with. */
  name: string;
  action: Parameters<typeof writeExport>[2];
  /** The fields of the filter whose values the audit log has. */
  shown: readonly string[];
  columns: CsvColumns<Entry>;
  read: (query: Query) => Promise<Page>;
  entriesOf: (page: Page) => readonly Entry[];
  filePage?: number;
};

/**
 * Makes what answers a list: the page that the query names, or the whole list as a file of CSV, with its entry in the audit log. It throws
 * what the list throws, and ProblemError `too_many_attempts`.
 */
export function createLists(context: Context) {
  const sendCsv = createCsvSender(context.log);
  return async <Query extends ListQuery, Page extends { next?: string | undefined }, Entry>(
    { req, res, query, account: { id: account } }: AskedList<Query>,
    { name, action, shown, columns, read, entriesOf, filePage = FILE_PAGE }: SavedList<Query, Page, Entry>,
  ): Promise<Page | undefined> => {
    if (!wantsCsv(req, query.format)) {
      res.vary('Accept');
      return read(query);
    }
    const lines = linesOf(
      (before) => read({ ...query, limit: filePage, before }),
      (page) => entriesOf(page).map((entry) => cellsIn(columns, entry)),
      query.before,
    );
    const file = {
      account,
      name: csvFileName(name, account, context.now()),
      columns: columns.map(([column]) => column),
    };
    await sendCsv(res, file, lines);
    await writeExport(context, [req, res], action, { filter: query, shown });
    return undefined;
  };
}
