import type { ProblemCode } from '../../shared/checkout/problem.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';
import type { Account } from '../config/load.ts';
import type { StoredOrder } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import type { CountTask } from './work.ts';

/**
 * Who a request comes from: an API key, or a person who signed in to the console. For which account, how the audit log and
 * whatever was asked for names them, and what they may do.
 */
export type Principal = { kind: 'key' | 'person'; account: Account; by: string; scopes: readonly Scope[] };

declare global {
  namespace Express {
    /** What the handlers of one request find out for those after them: `res.locals`. */
    interface Locals {
      principal?: Principal;
      /** Who pays, by a session's client secret. */
      payer?: { session: Session; account: Account; order: StoredOrder };
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
