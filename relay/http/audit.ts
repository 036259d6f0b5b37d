import type { Request, RequestHandler, Response } from 'express';
import type { AuditAction } from '../../shared/api/audit.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import type { Context } from '../store/context.ts';
import type { StoredAuditEntry } from '../store/facets/people.ts';

/** What an entry of the audit log is about. */
type About = Pick<StoredAuditEntry, 'action' | 'subject' | 'orders'>;

/** How a request comes into the audit log, once it took effect. */
export type Audit = {
  /** Its entry, to be written with what was done. */
  entry(about: About): StoredAuditEntry;
  /** The entry is written: what becomes of the request from now on is told by what it names. */
  written(): void;
};

/** What a request asks for: the parameters of its path, and its body, which nobody may have checked. */
type Asked = { params: Readonly<Record<string, unknown>>; body: unknown };

/**
 * The first handler of a route whose requests the audit log tells of. Of one that is refused it writes why, once that is
 * answered; what takes effect writes its entry itself, by `Use.audit`.
 */
export function audited(
  context: Context,
  action: AuditAction,
  about: (asked: Asked) => Omit<About, 'action'>,
): RequestHandler {
  return (req, res, next) => {
    // They are no longer there when the route is left.
    const { params } = req;
    res.once('close', () => {
      const { principal, problem, isAudited } = res.locals;
      if (!principal || problem === undefined || isAudited) return;
      const entry = { ...auditOf(context, req, res).entry({ action, ...about({ params, body: req.body }) }), problem };
      context.store.people.addAudit(entry).catch(() => {
        context.log.error({ code: problem }, 'refused request not stored in the audit log');
      });
    });
    next();
  };
}

/** The way of a request into the audit log. Stands after `requireKey`. */
export function auditOf(context: Context, req: Request, res: Response): Audit {
  const { principal } = res.locals;
  return {
    entry: ({ action, subject, orders = [] }) => ({
      account: principal?.account.id ?? '',
      at: context.now().toISOString(),
      by: principal?.by ?? '',
      action,
      ...(subject === undefined ? {} : { subject: named(subject) }),
      ...(orders.length > 0 ? { orders: orders.map(named) } : {}),
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
  return maskText(name.slice(0, MAX_NAME));
}

/** Writes the entry of what has been done. What it tells has been done, so a store that fails now must not say otherwise. */
export async function writeAudit(context: Context, audit: Audit, about: About): Promise<void> {
  audit.written();
  await context.store.people.addAudit(audit.entry(about)).catch(() => {
    context.log.error({ subject: about.subject }, 'request not stored in the audit log');
  });
}
