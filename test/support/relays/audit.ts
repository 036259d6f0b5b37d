import type { Audit } from '../../../relay/http/audit.ts';

/** Requests without an address, made by a key of this name, as use cases are given them. */
export function auditAs(by: string): { by: string; audit: Audit } {
  return {
    by,
    audit: {
      entry: (about) => ({ account: 'demo', at: '2026-01-01T00:00:00.000Z', by, request_id: 'req_test', ...about }),
      written: () => undefined,
    },
  };
}

/** The way into the audit log of a request that nobody looks for there. */
export const silentAudit: Audit = auditAs('all').audit;
