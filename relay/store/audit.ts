import type { AuditAction } from '../../shared/api/audit.ts';
import type { ProblemCode } from '../../shared/checkout/problem.ts';

/** One thing that somebody asked for through the API, and whether it was done. It holds no body and no card data. */
export type AuditEntry = {
  account: string;
  /** ISO 8601 in UTC. */
  at: string;
  /** Who: the name of the API key. */
  by: string;
  action: AuditAction;
  /** What it is about: the id of an operation, a session or a webhook. */
  subject?: string;
  /** The order_nos that it is about. */
  orders?: readonly string[];
  ip?: string;
  /** Its `X-Request-Id`. */
  request_id: string;
  /** Why it was refused; undefined where it took effect. */
  problem?: ProblemCode;
};

/** An entry with its place in the log: a later one has a higher number. */
export type AuditRecord = AuditEntry & { id: string };
