import { Router } from 'express';
import type { z } from 'zod';
import { type Reconciliation, reconciliation, reconciliationReport } from '../../shared/api/reconciliation.ts';
import { maskValue } from '../../shared/card-data/message.ts';
import { ProblemError } from '../base/errors.ts';
import { accountIn, requireKey } from '../http/api-keys.ts';
import { audited, writeAudit } from '../http/audit.ts';
import { idempotent, jsonReply } from '../http/idempotency/idempotency.ts';
import { jsonBody } from '../http/json-body.ts';
import { addRoute, parseShopBody } from '../http/routes.ts';
import type { Context } from '../store/context.ts';

/** What the last reconciliation of an account came to, as its runner reported it. */
export function reconciliationRoutes(context: Context): Router {
  const router = Router();

  addRoute(router, '/v1/reconciliations', {
    post: [
      audited(context, 'reconciliation.report', () => ({})),
      requireKey(context, 'query'),
      jsonBody,
      idempotent(context, {
        path: () => '/v1/reconciliations',
        read: (body) => checked(parseShopBody(reconciliationReport, body)),
        work: async (body, { account, by, audit }) => {
          const report = reportOf(body, by, context.now());
          await context.store.stats.putReconciliation(account.id, report);
          await writeAudit(context, audit, { action: 'reconciliation.report' });
          return jsonReply(201, report);
        },
      }),
    ],
  });

  addRoute(router, '/v1/reconciliations/last', {
    get: [
      requireKey(context, 'console'),
      async (_req, res) => {
        const last = await context.store.stats.lastReconciliation(accountIn(res).id);
        if (!last) throw new ProblemError('not_found', 'No reconciliation was reported yet: turnpike reconcile does.');
        res.set('Cache-Control', 'no-store').json(last);
      },
    ],
  });

  return router;
}

type Report = z.infer<typeof reconciliationReport>;

/** Throws ProblemError where a report contradicts itself. */
function checked(report: Report): Report {
  const { from, to, total, differences } = report;
  const errors = [
    ...(Date.parse(from) < Date.parse(to) ? [] : [{ path: 'from', message: 'must be before to' }]),
    ...(total >= differences.length ? [] : [{ path: 'total', message: 'must not be less than the differences' }]),
  ];
  if (errors.length > 0) throw new ProblemError('invalid_request', 'Correct the fields that are named.', { errors });
  return report;
}

/** The report as it is kept: its times in UTC, and without card data, which anyone may have written anywhere. */
function reportOf(body: Report, by: string, now: Date): Reconciliation {
  const { from, to, differences, ...counts } = body;
  const utc = (time: string): string => new Date(time).toISOString();
  return {
    ...{ reported_at: now.toISOString(), by, from: utc(from), to: utc(to), ...counts },
    differences: reconciliation.shape.differences.parse(maskValue(differences, {}, '', 'anyone')),
  };
}
