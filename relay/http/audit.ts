import type { Request, Response } from 'express';
import type { AuditAction } from '../../shared/api/audit.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import type { Context } from '../context/context.ts';
import type { StoredAuditEntry } from '../store/facets/people.ts';

/** What an entry of the audit log is about. */
type About = Pick<StoredAuditEntry, 'action' | 'subject' | 'orders' | 'items' | 'outcome' | 'decision'>;

/** How a request comes into the audit log, once it took effect. */
export type Audit = {
  /** Its entry, to be written with what was done. */
  entry(about: About): StoredAuditEntry;
  /** The entry is written. From now on the record that it names shows the outcome of the request. */
  written(): void;
};

/**
 * Watches a request of which the audit log tells. If it is refused, writes why, once that is answered; what takes effect writes
 * its entry itself, by `Use.audit`. An entry is about the id, the payment or the order in the path, or about the orders in the body.
 * @param ordersIn the orders that a body names, which need not have been checked
 */
export function watchRefusal(
  context: Context,
  action: AuditAction,
  [req, res]: [Request, Response],
  ordersIn: (body: unknown) => readonly string[] = () => [],
): void {
  // They are no longer there when the route is left.
  const { transaction_id, id = transaction_id, order_no } = req.params;
  res.once('close', () => {
    const { principal, problem, isAudited } = res.locals;
    // What is refused for its number alone must not become as many writes.
    if (!principal || problem === undefined || problem === 'rate_limited' || isAudited) return;
    const orders = order_no === undefined ? ordersIn(req.body) : [String(order_no)];
    const about = { action, orders, ...(id === undefined ? {} : { subject: String(id) }) };
    context.store.people.addAudit({ ...auditOf(context, req, res).entry(about), problem }).catch(() => {
      context.log.error({ code: problem }, 'refused request not stored in the audit log');
    });
  });
}

/** The way of a request into the audit log, once its principal is known. */
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

/** Longer than any name of ours, or of an order. */
const MAX_NAME = 255;

/** What a caller named may be anything, a card number too. */
function named(name: string): string {
  return maskText(name).slice(0, MAX_NAME);
}

/** What of a query is no filter. */
const PAGING: ReadonlySet<string> = new Set(['format', 'limit', 'before', 'after']);

/**
 * Writes that a list is saved as a file, with the names of the fields of its filter, and the values of those that hold nothing of a
 * shopper.
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

/** Writes the entry of what has been done. What it tells has been done, so a store that fails now must not say otherwise. */
export async function writeAudit(context: Context, audit: Audit, about: About): Promise<void> {
  audit.written();
  await context.store.people.addAudit(audit.entry(about)).catch(() => {
    context.log.error({ subject: about.subject }, 'request not stored in the audit log');
  });
}
