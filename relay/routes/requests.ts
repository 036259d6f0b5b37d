import { type KeyAnswer, keyAnswer } from '../../shared/api/key.ts';
import { type RequestList, requestList, requestQuery } from '../../shared/api/request.ts';
import { requestEntryId, time, transactionId } from '../../shared/samples/ids.ts';
import { json, key, type Routes } from './route.ts';

const page: RequestList = {
  requests: [
    {
      ...{ id: 'rl_n1b9ab3e4Zk3v9qP1mXw7LrT5bNc2HyG', at: time, method: 'POST', path: '/v1/orders/A-1001/refund' },
      ...{ status: 409, problem: 'operation_declined', key: 'server', idempotency: 'sent', duration_ms: 412 },
      request_id: 'req_H8dKq3Zx6VnRt1Yw',
    },
    {
      ...{ id: requestEntryId, at: time, method: 'GET', path: `/v1/payments/${transactionId}`, status: 200 },
      ...{ key: 'server', duration_ms: 6, request_id: 'req_B4nXs7Kd1QzVr8Ty' },
    },
  ],
  next: requestEntryId,
};

/** The log of API requests. */
export const requestRoutes = {
  listRequests: {
    method: 'get',
    path: '/v1/requests',
    summary: 'Read the request log',
    description:
      'Lists the requests that API keys of your account made, the newest first: method, path, status, problem code, key, duration. It contains no bodies, queries and headers. Requests of this route, of the console and without a valid key are not in it.\n\nAn entry appears about a second after its answer, and is stored for the relay’s `request_log_days`. A page reads no more than 10,000 requests (with `status` `4xx`, `5xx` or `refused`, at no more than 10,000 refused ones). Where few match, it may therefore have fewer entries than `limit`, or none, and a `next`.',
    access: key('console'),
    isUnlogged: true,
    query: requestQuery,
    answers: [
      json(200, 'One page of requests.', requestList, [
        { name: 'page', summary: 'A page with a next page', value: page },
      ]),
    ],
    problems: ['invalid_request', 'store_unavailable'],
  },
} as const satisfies Routes;

const ownKey: KeyAnswer = {
  name: 'server',
  scopes: ['sessions', 'refund', 'console'],
  account: { id: 'demo', name: 'Demo Shop' },
  rate_limit: { per_minute: 600, burst: 100 },
};

/** The name, account and scopes of a key. */
export const keyRoutes = {
  getKey: {
    method: 'get',
    path: '/v1/key',
    summary: 'Read the key itself',
    description:
      'Returns the name of the API key of the request, its account, its scopes and the limit of its requests.',
    access: { kind: 'api_key' },
    answers: [json(200, 'The key.', keyAnswer, [{ name: 'key', summary: 'The key of a server', value: ownKey }])],
  },
} as const satisfies Routes;
