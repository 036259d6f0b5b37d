import type { Router } from 'express';
import { type AuditEntry, type AuditList, auditEntry } from '../../shared/api/audit.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import type { Context } from '../context/context.ts';
import { createCsvSender, csvFileName, wantsCsv } from '../http/csv.ts';
import { serve } from '../http/serve.ts';
import { auditRoutes } from '../routes/console.ts';
import type { AuditRecord, AuditSearch } from '../store/facets/people.ts';

/** Who did what in an account. */
export function serveAudit(context: Context): Router {
  const sendCsv = createCsvSender(context.log);
  return serve(context, auditRoutes, {
    listAudit: async ({ req, res, query: { limit, format, order_no, ...query }, account: { id: account } }) => {
      // As the log has it.
      const named = order_no === undefined ? {} : { order_no: maskText(order_no) };
      const search: AuditSearch = { ...query, ...named, account, limit };
      if (wantsCsv(req, format)) {
        const name = csvFileName('audit', account, context.now());
        await sendCsv(res, { account, name, columns }, linesOf(context, search));
        return undefined;
      }
      res.vary('Accept');
      return pageOf(context, search);
    },
  });
}

async function pageOf(context: Context, search: AuditSearch): Promise<AuditList> {
  // One more than is shown tells whether there is a next page.
  const found = await context.store.people.listAudit({ ...search, limit: search.limit + 1 });
  const entries = found.slice(0, search.limit).map(entryAnswer);
  const last = entries.at(-1);
  return { entries, ...(found.length > search.limit && last ? { next: last.id } : {}) };
}

function entryAnswer({ account: _, orders, ...entry }: AuditRecord): AuditEntry {
  return { ...entry, ...(orders ? { orders: [...orders] } : {}) };
}

const columns = auditEntry.keyof().options;

/** How many entries of a file are read at a time. */
const PAGE = 200;

async function* linesOf(context: Context, search: AuditSearch): AsyncGenerator<string[][], void> {
  let before = search.before;
  do {
    const { entries, next } = await pageOf(context, { ...search, limit: PAGE, ...(before ? { before } : {}) });
    yield entries.map(cellsOf);
    before = next;
  } while (before !== undefined);
}

function cellsOf(entry: AuditEntry): string[] {
  const texts = { ...entry, orders: entry.orders?.join(' ') };
  return columns.map((column) => texts[column] ?? '');
}
