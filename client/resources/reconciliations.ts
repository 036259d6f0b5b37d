import { type ReconciliationReport, reconciliation } from '../../shared/api/reconciliation.ts';
import type { PostOptions, Requests } from '../requests.ts';

/** The requests of `/v1/reconciliations`. */
export function reconciliationsOf({ getAt, post }: Requests) {
  return {
    /** `POST /v1/reconciliations`: stores the result of a comparison with the gateway's records, and replaces the previous one. */
    report: (body: ReconciliationReport, postOptions?: PostOptions) =>
      post(reconciliation, { route: '/v1/reconciliations' }, body, postOptions),
    /** `GET /v1/reconciliations/last`: the result of the last comparison. */
    last: () => getAt(reconciliation, '/v1/reconciliations/last', () => '/v1/reconciliations/last'),
  };
}
