import type { Request, Response } from 'express';
import type { Context } from '../context/context.ts';
import { writeExport } from './audit.ts';
import { type CsvColumns, cellsIn, createCsvSender, csvFileName, linesOf, wantsCsv } from './csv.ts';

/** The default number of entries of a file that are read at a time. */
const FILE_PAGE = 100;

type ListQuery = { format?: 'json' | 'csv' | undefined; limit: number; before?: string | undefined };

/** A request for a list. */
type AskedList<Query extends ListQuery> = { req: Request; res: Response; query: Query; account: { id: string } };

/** A list: the function that reads a page, and the form of its file. */
type SavedList<Query extends ListQuery, Page, Entry> = {
  /** The beginning of the file's name. */
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
 * Returns a function that answers a request for a list: with the page that the query names, or with the whole list as a CSV file, with an
 * entry in the audit log. It throws the errors of the list, and ProblemError `too_many_attempts`.
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
