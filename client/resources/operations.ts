import type { z } from 'zod';
import { type OperationFilter, operationAnswer, operationList, type settleBody } from '../../shared/api/operation.ts';
import { eachOf, type PostOptions, type Requests } from '../requests.ts';
import { textQueryOf } from '../settings.ts';

/** The requests of `/v1/operations`. */
export function operationsOf({ get, getAt, postTo }: Requests) {
  const listOperations = (filter: OperationFilter = {}) =>
    getAt(operationList, '/v1/operations', () => `/v1/operations${textQueryOf(filter)}`);

  return {
    /** `GET /v1/operations`: one page of operations, newest first. */
    list: listOperations,
    /** Every operation that the filter finds, one page after the other: `for await (const operation of …)`. */
    each: (filter: OperationFilter = {}) => eachOf(filter, listOperations, ({ operations }) => operations),
    /** `GET /v1/operations/:id`: the outcome of a batch, a subscription's end or a payout. */
    get: (id: string) => get(operationAnswer, '/v1/operations/:id', id),
    /** `POST /v1/operations/:id/settle`: a person states the outcome of an operation whose outcome is unknown. */
    settle: (id: string, body: z.input<typeof settleBody>, postOptions?: PostOptions) =>
      postTo(operationAnswer, '/v1/operations/:id/settle', id, body, postOptions),
  };
}
