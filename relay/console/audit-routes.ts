import type { Router } from 'express';
import { type AuditEntry, type AuditItem, type AuditList, auditEntry, auditItem } from '../../shared/api/audit.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import type { Context } from '../context/context.ts';
import { createLists } from '../http/list-or-file.ts';
import { serve } from '../http/serve.ts';
import { auditedOf } from '../payments/operations/audited.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import { auditRoutes } from '../routes/console.ts';
import { type AuditRecord, type AuditSearch, begunBy } from '../store/facets/people.ts';

/** The audit log of an account. */
export function serveAudit(context: Context): Router {
  const listOrFile = createLists(context);
  return serve(context, auditRoutes, {
    listAudit: (asked) =>
      listOrFile(asked, {
        ...{ name: 'audit', action: 'audit.export', shown: ['by'], columns, filePage: FILE_PAGE },
        read: ({ format: _, order_no, ...query }) => {
          // In the form of the log.
          const named = order_no === undefined ? {} : { order_no: maskText(order_no) };
          return pageOf(context, { ...query, ...named, account: asked.account.id });
        },
        entriesOf: ({ entries }) => entries.map(textsOf),
      }),
  });
}

async function pageOf(context: Context, search: AuditSearch): Promise<AuditList> {
  // One more entry than the page shows proves a next page.
  const found = await context.store.people.listAudit({ ...search, limit: search.limit + 1 });
  const shown = found.slice(0, search.limit);
  const operations = await context.store.operations.getMany(shown.flatMap((entry) => begunBy(entry) ?? []));
  const own = new Map(operations.flatMap((one) => (one.account === search.account ? [[one.id, one]] : [])));
  const entries = shown.map((entry) => entryAnswer(entry, own.get(begunBy(entry) ?? '')));
  const last = entries.at(-1);
  return { entries, ...(found.length > search.limit && last ? { next: last.id } : {}) };
}

/** @param operation the operation that the request began, if it is still stored */
function entryAnswer(
  { account: _, orders, items, ...entry }: AuditRecord,
  operation: StoredOperation | undefined,
): AuditEntry {
  return {
    ...entry,
    ...(orders ? { orders: [...orders] } : {}),
    ...(items ? { items: [...items] } : {}),
    ...(operation ? auditedOf(operation) : {}),
  };
}

const itemColumns = auditItem.keyof().options;

/** The number of entries of a file that are read at a time. */
const FILE_PAGE = 200;

const columns = auditEntry.keyof().options.map((name) => [name, (texts: EntryTexts) => texts[name]] as const);

type EntryTexts = ReturnType<typeof textsOf>;

function textsOf(entry: AuditEntry) {
  return { ...entry, orders: entry.orders?.join(' '), items: entry.items?.map(itemText).join('; ') };
}

/** An item on one line, such as `T1 A-1 10.00 BRL succeeded`. */
function itemText(item: AuditItem): string {
  return itemColumns.flatMap((name) => item[name] ?? []).join(' ');
}
