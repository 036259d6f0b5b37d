import { Router } from 'express';
import { type AuditEntry, type AuditList, auditEntry, auditQuery } from '../../shared/api/audit.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import { accountIn, requireKey } from '../http/api-keys.ts';
import { csvLine } from '../http/csv.ts';
import { addRoute, parseBody } from '../http/routes.ts';
import type { AuditRecord } from '../store/audit.ts';
import type { Context } from '../store/context.ts';

/** Who did what in an account. */
export function auditRoutes(context: Context): Router {
  const router = Router();
  addRoute(router, '/v1/audit', {
    get: [
      requireKey(context, 'console'),
      async (req, res) => {
        const { limit, order_no, ...query } = parseBody(auditQuery, { ...req.query });
        const found = await context.store.listAudit({
          ...query,
          // As the log has it.
          ...(order_no === undefined ? {} : { order_no: maskText(order_no) }),
          account: accountIn(res).id,
          // One more than is shown tells whether there is a next page.
          limit: limit + 1,
        });
        const entries = found.slice(0, limit).map(entryAnswer);
        res.vary('Accept').set('Cache-Control', 'no-store');
        if (req.accepts(['application/json', 'text/csv']) === 'text/csv') {
          res.type('text/csv; charset=utf-8; header=present').send(csvOf(entries));
          return;
        }
        const last = entries.at(-1);
        const page: AuditList = { entries, ...(found.length > limit && last ? { next: last.id } : {}) };
        res.json(page);
      },
    ],
  });
  return router;
}

function entryAnswer({ account: _, orders, ...entry }: AuditRecord): AuditEntry {
  return { ...entry, ...(orders ? { orders: [...orders] } : {}) };
}

const columns = auditEntry.keyof().options;

function csvOf(entries: readonly AuditEntry[]): string {
  const lines = entries.map((entry) => {
    const text = { ...entry, orders: entry.orders?.join(' ') };
    return csvLine(columns.map((column) => text[column] ?? ''));
  });
  return [csvLine(columns), ...lines].join('');
}
