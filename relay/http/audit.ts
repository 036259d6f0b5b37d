import type { Request, Response } from 'express';
import type { AuditAction } from '../../shared/api/audit.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import type { Context } from '../context/context.ts';
import type { StoredAuditEntry } from '../store/facets/people.ts';

/** The action of an entry, and its subject. */
type About = Pick<StoredAuditEntry, 'action' | 'subject' | 'orders' | 'items' | 'outcome' | 'decision'>;

/** Writes the request into the audit log when it has taken effect. */
export type Audit = {
  /** The entry, to be written with the effect of the request. */
  entry(about: About): StoredAuditEntry;
  /** Marks the entry as written. From now on the record that it names shows the outcome of the request. */
  written(): void;
};

/**
 * Writes an entry to the audit log if the request is refused. Successful requests write their entry themselves (`Use.audit`). The
 * entry names the id, payment or order in the path, or the orders in the body.
 * @param ordersIn reads the orders from a body that may be unchecked
 */
export function watchRefusal(
  context: Context,
  action: AuditAction,
  [req, res]: [Request, Response],
  ordersIn: (body: unknown) => readonly string[] = () => [],
): void {
  // Express removes them when the request leaves the route.
  const { transaction_id, id = transaction_id, order_no } = req.params;
  res.once('close', () => {
    const { principal, problem, isAudited } = res.locals;
    // A flood of requests must not become as many writes.
    if (!principal || problem === undefined || problem === 'rate_limited' || isAudited) return;
    const orders = order_no === undefined ? ordersIn(req.body) : [String(order_no)];
    const about = { action, orders, ...(id === undefined ? {} : { subject: String(id) }) };
    context.store.people.addAudit({ ...auditOf(context, req, res).entry(about), problem }).catch(() => {
      context.log.error({ code: problem }, 'refused request not stored in the audit log');
    });
  });
}

/** The entry of a request in the audit log. The principal must be known. */
export function auditOf(context: Context, req: Request, res: Response): Audit {
  const { principal } = res.locals;
  return {
    entry: ({ action, subject, orders = [], ...decided }) => ({
      account: principal?.account.id ?? '',
      at: context.now().toISOString(),
      by: principal?.by ?? '',
      action,
      ...(subject === undefined ? {} : { subject: named(subject) }),
      ...(orders.length > 0 ? { orders: orders.map(named) } : {}),
      ...decided,
      ...(req.ip === undefined ? {} : { ip: req.ip }),
      request_id: String(res.getHeader('X-Request-Id') ?? ''),
    }),
    written: () => {
      res.locals.isAudited = true;
    },
  };
}

/** Longer than any name of the relay, or of an order. */
const MAX_NAME = 255;

/** A name without card data: the client may have sent any text. */
function named(name: string): string {
  return maskText(name).slice(0, MAX_NAME);
}

/** The fields of a query that are not part of its filter. */
const PAGING: ReadonlySet<string> = new Set(['format', 'limit', 'before', 'after']);

/**
 * Writes to the audit log that a list is saved as a file, with the names of the fields of its filter, and the values of fields without
 * data of shoppers.
 * @param shown the fields whose values are written
 */
export async function writeExport(
  context: Context,
  [req, res]: [Request, Response],
  action: Extract<AuditAction, `${string}.export`>,
  { filter, shown }: { filter: Readonly<Record<string, unknown>>; shown: readonly string[] },
): Promise<void> {
  if (req.method === 'HEAD') return;
  const fields = Object.entries(filter).flatMap(([name, value]) => {
    if (value === undefined || PAGING.has(name)) return [];
    return shown.includes(name) && typeof value === 'string' ? [`${name}=${value}`] : [name];
  });
  const subject = fields.length === 0 ? {} : { subject: fields.join(' ') };
  await writeAudit(context, auditOf(context, req, res), { action, ...subject });
}

/** Writes the entry of a request that has taken effect, so a failure of the store now is only logged. */
export async function writeAudit(context: Context, audit: Audit, about: About): Promise<void> {
  audit.written();
  await context.store.people.addAudit(audit.entry(about)).catch(() => {
    context.log.error({ subject: about.subject }, 'request not stored in the audit log');
  });
}
