import { type AuditFilter, auditList } from '../../shared/api/audit.ts';
import { eachOf, type Requests } from '../requests.ts';
import { textQueryOf } from '../settings.ts';

/** The requests of `/v1/audit`. */
export function auditOf({ getAt }: Requests) {
  const listAudit = (filter: AuditFilter = {}) =>
    getAt(auditList, '/v1/audit', () => `/v1/audit${textQueryOf(filter)}`);

  return {
    /** `GET /v1/audit`: one page of the audit log, newest first. */
    list: listAudit,
    /** Every entry, one page after the other: `for await (const entry of …)`. */
    each: (filter: AuditFilter = {}) => eachOf(filter, listAudit, ({ entries }) => entries),
  };
}
