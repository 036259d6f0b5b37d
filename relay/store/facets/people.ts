import type { AuditAction, AuditItem } from '../../../shared/api/audit.ts';
import type { ProblemCode } from '../../../shared/checkout/problem.ts';
import { effectNames } from '../../../shared/gateway/operations.ts';
import type { Audited } from '../../payments/operations/audited.ts';

/** A person who is signed in to the console, found by the SHA-256 of the token in their cookie. Times are ISO 8601 in UTC. */
export type SignIn = {
  token_sha256: string;
  /** The name of the person. */
  person: string;
  /** By what the person signed in, hashed: another password, and it is not good any more. */
  credential: string;
  created_at: string;
  /** When the person asked for something last; not every request is written. */
  seen_at: string;
  /** The address that the person signed in from. */
  ip?: string;
};

/** One request of the API, and whether it was done. It holds no body and no card data. */
export type StoredAuditEntry = {
  account: string;
  /** ISO 8601 in UTC. */
  at: string;
  /** Who: the name of the API key, or of the person behind `person:`. */
  by: string;
  action: AuditAction;
  /** What it is about: the id of an operation, a session or a webhook. */
  subject?: string;
  /** The order_nos that it is about. */
  orders?: readonly string[];
  /** What a settlement decided. Of an operation, once that is no longer kept, what it was asked for and its outcome. */
  items?: readonly AuditItem[];
  outcome?: Audited['outcome'];
  decision?: string;
  ip?: string;
  /** Its `X-Request-Id`. */
  request_id: string;
  /** Why it was refused; undefined where it took effect. */
  problem?: ProblemCode;
};

/** An entry with its place in the log: a later one has a higher number. */
export type AuditRecord = StoredAuditEntry & { id: string };

/** Which entries to list: an account's, the newest first, older than the one with the id `before`, all that these say. */
export type AuditSearch = { account: string; by?: string; order_no?: string; before?: string; limit: number };

/** Who is signed in to the console, and who did what: the audit log. */
export type PeopleStore = {
  addSignIn(signIn: SignIn): Promise<void>;
  getSignIn(tokenSha256: string): Promise<SignIn | undefined>;
  /** The sign-ins of a person, the newest first. */
  listSignIns(person: string): Promise<SignIn[]>;
  /** Writes when a person was seen last. */
  seeSignIn(tokenSha256: string, at: string): Promise<void>;
  endSignIn(tokenSha256: string): Promise<void>;
  /** Forgets sign-ins of before, at most `limit`. True when there may be more. */
  forgetSignIns(before: string, limit: number): Promise<boolean>;
  /** Adds an entry about what has no change of its own to be written with. */
  addAudit(entry: StoredAuditEntry): Promise<void>;
  /** A page of an account's log. */
  listAudit(search: AuditSearch): Promise<AuditRecord[]>;
};

/** The texts that an entry is found by: who asked, each order that it is about, and the operation that it began. */
export function auditTerms(entry: StoredAuditEntry): string[] {
  const { by, orders = [] } = entry;
  const begun = begunBy(entry);
  return [...new Set([byTerm(by), ...orders.map(orderTerm), ...(begun === undefined ? [] : [operationTerm(begun)])])];
}

/** What begins an operation: a request for it, and the approval of one. */
const beginnings: readonly string[] = [...effectNames, 'approval.approve'];

/** The id of the operation that the request of an entry began. */
export function begunBy({ action, subject, problem }: StoredAuditEntry): string | undefined {
  return problem === undefined && beginnings.includes(action) ? subject : undefined;
}

/** The term of the entry that tells of an operation's beginning. */
export const operationTerm = (id: string): string => indexable(`operation ${id}`);

/** The terms that an entry must have; the one that fewest have comes first. */
export function searchedTerms({ by, order_no }: Pick<AuditSearch, 'by' | 'order_no'>): string[] {
  return [...(order_no === undefined ? [] : [orderTerm(order_no)]), ...(by === undefined ? [] : [byTerm(by)])];
}

const byTerm = (name: string): string => indexable(`by ${name}`);
const orderTerm = (orderNo: string): string => indexable(`order ${orderNo}`);

/** What was refused may name what no order has: no store takes every text. */
function indexable(text: string): string {
  return text.slice(0, 300).toWellFormed().replaceAll('\0', '\ufffd');
}
