import type { Audit } from '../../../relay/http/audit.ts';

/** Requests without an address, made with a key of this name, as use cases receive them. */
export function auditAs(by: string): { by: string; audit: Audit } {
  return {
    by,
    audit: {
      entry: (about) => ({ account: 'demo', at: '2026-01-01T00:00:00.000Z', by, request_id: 'req_test', ...about }),
      written: () => undefined,
    },
  };
}

/** An audit context for requests whose audit entries the test ignores. */
export const silentAudit: Audit = auditAs('all').audit;
