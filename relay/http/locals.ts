import type { ProblemCode } from '../../shared/checkout/problem.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';
import type { Account } from '../config/load.ts';
import type { Order } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import type { CountTask } from './work.ts';

/** An API key as a request carries it: whose it is, what it is called there, and what it may do. */
export type PresentedKey = { account: Account; name: string; scopes: readonly Scope[] };

declare global {
  namespace Express {
    /** What the handlers of one request find out for those after them: `res.locals`. */
    interface Locals {
      key?: PresentedKey;
      /** Who pays, by a session's client secret. */
      payer?: { session: Session; account: Account; order: Order };
      /** The problem that the request was answered with. */
      problem?: ProblemCode;
      countTask?: CountTask;
      /** The audit log has an entry of what the request did. */
      isAudited?: true;
    }
  }
}

/** What an earlier handler of the route found out. Throws TypeError where there is none. */
export function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('no earlier handler of this route found it out');
  return value;
}
