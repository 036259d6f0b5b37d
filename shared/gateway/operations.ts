import type { z } from 'zod';
import type { Scope } from '../checkout/scopes.ts';
import { apmPaymentAnswer, apmPaymentRequest } from './apm-payment.ts';
import { directPaymentAnswer, directPaymentRequest } from './direct-payment.ts';
import { queryAnswer, queryBody, queryRequest } from './query.ts';

/** How sure we must be that an answer is the gateway's own: its signature must be there, may be there, or is not read. */
export type Verify = 'required' | 'if_present' | 'off';

/** The relay's own route for an operation, for shops' servers. */
export type Route = {
  path: `/v1/${string}`;
  scope: Scope;
  body: z.ZodObject;
};

/** One message to the gateway: all that the relay, the sandbox gateway and the tests know about it. */
export type Operation = {
  /** Appended to the gateway's base URL (§4). */
  path: `/v1/${string}`;
  encoding: 'json' | 'form';
  answerFormat: 'xml' | 'json';
  request: z.ZodObject;
  answer: z.ZodObject;
  /** Fields of the relay's route that are lists, each with the most entries it may hold (§8). */
  lists: Readonly<Record<string, number>>;
  verify: Verify;
  /** Whether sending it a second time is harmless, so that the relay may repeat it by itself. */
  resend: boolean;
  /** How an unknown outcome is settled; undefined for an operation that only reads. */
  settledBy?: 'query' | 'refund_search' | 'manual';
  route?: Route;
  /** Whether it must name what to look for; the profile says which filters will do (§4.6). */
  needsFilter?: true;
};

/** The operations' names everywhere: in the profile, in metrics and in code. */
export const operationNames = ['direct_payment', 'apm_payment', 'query'] as const;
export type OperationName = (typeof operationNames)[number];

/** Every operation of the gateway (§4). */
export const operations = {
  direct_payment: {
    path: '/v1/authorise',
    encoding: 'json',
    answerFormat: 'xml',
    request: directPaymentRequest,
    answer: directPaymentAnswer,
    lists: {},
    verify: 'required',
    resend: false,
    settledBy: 'query',
  },
  apm_payment: {
    path: '/v1/authorise',
    encoding: 'json',
    answerFormat: 'xml',
    request: apmPaymentRequest,
    answer: apmPaymentAnswer,
    lists: {},
    verify: 'if_present',
    resend: false,
    settledBy: 'query',
  },
  query: {
    path: '/v1/retrievalTrans',
    encoding: 'form',
    answerFormat: 'json',
    request: queryRequest,
    answer: queryAnswer,
    lists: { orders: 100, trades: 100 },
    verify: 'if_present',
    resend: true,
    route: { path: '/v1/query', scope: 'query', body: queryBody },
    needsFilter: true,
  },
} satisfies Record<OperationName, Operation>;
