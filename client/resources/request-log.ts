import { type RequestFilter, requestList } from '../../shared/api/request.ts';
import { eachOf, type Requests } from '../requests.ts';
import { textQueryOf } from '../settings.ts';

/** The requests of `/v1/requests`. */
export function requestLogOf({ getAt }: Requests) {
  const listRequests = (filter: RequestFilter = {}) =>
    getAt(requestList, '/v1/requests', () => `/v1/requests${textQueryOf(filter)}`);

  return {
    /** `GET /v1/requests`: one page of the request log, newest first. */
    list: listRequests,
    /** Every request, one page after the other: `for await (const request of …)`. */
    each: (filter: RequestFilter = {}) => eachOf(filter, listRequests, ({ requests }) => requests),
  };
}
