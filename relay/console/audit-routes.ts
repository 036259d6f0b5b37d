import { Router } from 'express';
import { type AuditEntry, type AuditList, auditEntry, auditQuery } from '../../shared/api/audit.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import { accountIn, requireKey } from '../http/api-keys.ts';
import { createCsvSender, csvFileName, wantsCsv } from '../http/csv.ts';
import { addRoute, parseBody } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import type { AuditRecord, AuditSearch } from '../store/facets/people.ts';

/** Who did what in an account. */
export function auditRoutes(context: Context): Router {
  const router = Router();
  const sendCsv = createCsvSender(context.log);
  addRoute(router, '/v1/audit', {
    get: [
      requireKey(context, 'console'),
      async (req, res) => {
        const { limit, format, order_no, ...query } = parseBody(auditQuery, { ...req.query });
        const search: AuditSearch = {
          ...query,
          // As the log has it.
          ...(order_no === undefined ? {} : { order_no: maskText(order_no) }),
          account: accountIn(res).id,
          limit,
        };
        if (wantsCsv(req, format)) {
          const { account } = search;
          const name = csvFileName('audit', account, context.now());
          return sendCsv(res, { account, name, columns }, linesOf(context, search));
        }
        res.vary('Accept').set('Cache-Control', 'no-store');
        res.json(await pageOf(context, search));
      },
    ],
  });
  return router;
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
