import type { AuditAction, AuditItem } from '../../../shared/api/audit.ts';
import type { ProblemCode } from '../../../shared/checkout/problem-codes.ts';
import { effectNames } from '../../../shared/gateway/operations.ts';
import type { Audited } from '../../payments/operations/audited.ts';

/** A person who is signed in to the console, found by the SHA-256 of the token in their cookie. Times are ISO 8601 in UTC. */
export type SignIn = {
  token_sha256: string;
  /** The name of the person. */
  person: string;
  /** The hash of the credentials: with another password, the sign-in is no longer valid. */
  credential: string;
  created_at: string;
  /** The time of the person's last request. Not every request is written. */
  seen_at: string;
  /** The address that the person signed in from. */
  ip?: string;
};

/** One request of the API, and whether it had an effect. It contains no body and no card data. */
export type StoredAuditEntry = {
  account: string;
  /** ISO 8601 in UTC. */
  at: string;
  /** The name of the API key, or of the person behind `person:`. */
  by: string;
  action: AuditAction;
  /** The id of an operation, a session or a webhook. */
  subject?: string;
  /** The order_nos of its orders. */
  orders?: readonly string[];
  /** The decision of a settlement. For a deleted operation: its items and its outcome. */
  items?: readonly AuditItem[];
  outcome?: Audited['outcome'];
  decision?: string;
  ip?: string;
  /** Its `X-Request-Id`. */
  request_id: string;
  /** The reason for a refusal; undefined if the request was not refused. */
  problem?: ProblemCode;
};

/** An entry with its place in the log: a later one has a higher number. */
export type AuditRecord = StoredAuditEntry & { id: string };

/** A search for an account's entries, the newest first, older than the one with the id `before`, that match all of these. */
export type AuditSearch = { account: string; by?: string; order_no?: string; before?: string; limit: number };

/** The sign-ins to the console, and the audit log. */
export type PeopleStore = {
  addSignIn(signIn: SignIn): Promise<void>;
  getSignIn(tokenSha256: string): Promise<SignIn | undefined>;
  /** The sign-ins of a person, the newest first. */
  listSignIns(person: string): Promise<SignIn[]>;
  /** Writes the time of a person's last request. */
  seeSignIn(tokenSha256: string, at: string): Promise<void>;
  endSignIn(tokenSha256: string): Promise<void>;
  /** Deletes sign-ins before `before`, at most `limit`. True if there may be more. */
  forgetSignIns(before: string, limit: number): Promise<boolean>;
  /** Adds an entry that is not written together with a change. */
  addAudit(entry: StoredAuditEntry): Promise<void>;
  /** A page of an account's log. */
  listAudit(search: AuditSearch): Promise<AuditRecord[]>;
};

/** The texts by which searches find an entry: its requester, each of its orders, and the operation that it began. */
export function auditTerms(entry: StoredAuditEntry): string[] {
  const { by, orders = [] } = entry;
  const begun = begunBy(entry);
  return [...new Set([byTerm(by), ...orders.map(orderTerm), ...(begun === undefined ? [] : [operationTerm(begun)])])];
}

/** The actions that begin an operation: a request for it, and its approval. */
const beginnings: readonly string[] = [...effectNames, 'approval.approve'];

/** The id of the operation that the request of an entry began. */
export function begunBy({ action, subject, problem }: StoredAuditEntry): string | undefined {
  return problem === undefined && beginnings.includes(action) ? subject : undefined;
}

/** The term of the entry that began an operation. */
export const operationTerm = (id: string): string => indexable(`operation ${id}`);

/** The terms that an entry must have, the rarest first. */
export function searchedTerms({ by, order_no }: Pick<AuditSearch, 'by' | 'order_no'>): string[] {
  return [...(order_no === undefined ? [] : [orderTerm(order_no)]), ...(by === undefined ? [] : [byTerm(by)])];
}

const byTerm = (name: string): string => indexable(`by ${name}`);
const orderTerm = (orderNo: string): string => indexable(`order ${orderNo}`);

/** Makes a text valid for every database: a refused request may contain any text. */
function indexable(text: string): string {
  return text.slice(0, 300).toWellFormed().replaceAll('\0', '\ufffd');
}
