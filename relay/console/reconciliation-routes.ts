import type { Router } from 'express';
import type { z } from 'zod';
import { type Reconciliation, reconciliation, reconciliationReport } from '../../shared/api/reconciliation.ts';
import { maskValue } from '../../shared/card-data/message.ts';
import { invalidFields, ProblemError } from '../base/errors.ts';
import type { Context } from '../context/context.ts';
import { writeAudit } from '../http/audit.ts';
import { jsonReply } from '../http/idempotency/idempotency.ts';
import { parseShopBody } from '../http/parse.ts';
import { serve } from '../http/serve.ts';
import { reconciliationRoutes } from '../routes/orders/attention.ts';

/** The result of an account's last reconciliation, which `turnpike reconcile` reports. */
export function serveReconciliations(context: Context): Router {
  return serve(context, reconciliationRoutes, {
    reportReconciliation: {
      read: (body, account) => checked(parseShopBody(reconciliationReport, body, account)),
      work: async (body, { account, by, audit }) => {
        const report = reportOf(body, by, context.now());
        await context.store.stats.putReconciliation(account.id, report);
        await writeAudit(context, audit, { action: 'reconciliation.report' });
        return jsonReply(201, report);
      },
    },
    getLastReconciliation: async ({ account }) => {
      const last = await context.store.stats.lastReconciliation(account.id);
      if (!last) throw new ProblemError('not_found', 'No reconciliation was reported yet: turnpike reconcile does.');
      return last;
    },
  });
}

type Report = z.infer<typeof reconciliationReport>;

/** Returns a consistent report. Throws ProblemError if the report contradicts itself. */
function checked(report: Report): Report {
  const { from, to, total, differences } = report;
  const errors = [
    ...(Date.parse(from) < Date.parse(to) ? [] : [{ path: 'from', message: 'must be before to' }]),
    ...(total >= differences.length ? [] : [{ path: 'total', message: 'must not be less than the differences' }]),
  ];
  if (errors.length > 0) throw invalidFields(errors);
  return report;
}

/** The stored form of a report: with times in UTC, and without card data, which any field may have. */
function reportOf(body: Report, by: string, now: Date): Reconciliation {
  const { from, to, differences, ...counts } = body;
  const utc = (time: string): string => new Date(time).toISOString();
  return {
    ...{ reported_at: now.toISOString(), by, from: utc(from), to: utc(to), ...counts },
    differences: reconciliation.shape.differences.parse(maskValue(differences, {}, '', 'anyone')),
  };
}
