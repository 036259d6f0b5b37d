import { queryFilters } from '../../relay/gateway/profile.ts';
import type { SignatureFault } from '../../relay/gateway/signing/signer.ts';
import type { Signing } from '../../relay/gateway/signing/signing-setting.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';

/** The filters of a query besides orders. */
export type Period = { from: Date; to: Date };

/** One message to the gateway that changes nothing there. */
export type Try =
  | {
      kind: 'query';
      signing: Signing;
      orders: readonly string[];
      separator: string;
      period?: Period | undefined;
      /** Signed with the account's secret without the white space around it. */
      isTrimmed?: true;
    }
  /**
   * A cancellation of a transaction that does not exist. A query is not JSON, so it proves nothing about the content
   * type.
   */
  | { kind: 'cancel'; signing: Signing; contentType: string; orderNo: string };

/** A signing that was found offline, with a description of the secret if it is not the account's own. */
export type SigningFound = { signing: Signing; secret?: string };

/** The evidence in the gateway's signatures: the signing of its answers, and the expected signing of requests. */
export type SigningEvidence = { answers?: SigningFound | undefined; requests?: SigningFound | undefined };

/** The gateway's reaction to a try. Its texts are masked and short, and contain no signed text. */
export type Reaction =
  /** Nothing was sent: the settings do not define the signature of this message. */
  | { kind: 'unsignable'; detail: string }
  /** Nothing was sent: the limit is reached, or the gateway asked to stop. */
  | { kind: 'spent' }
  | { kind: 'silent'; why: string }
  | { kind: 'refused'; status: number; text: string; evidence?: SigningEvidence }
  | { kind: 'unreadable'; why: string }
  | {
      kind: 'answered';
      returnStatus: string;
      returnMessage: string;
      /** Whether it has a list of records, and the readable records. */
      listed: boolean;
      records: readonly Partial<OrderRecord>[];
      signature: SignatureFault | undefined;
      evidence?: SigningEvidence;
    };

/** The fault of an answer whose bytes do not match its charset (default UTF-8). */
export const WRONG_ENCODING = 'wrong_encoding';

/** The meaning of a reaction to a query. */
export type Meaning =
  | 'taken'
  /** Accepted according to its text, with a code that the code book does not list. */
  | 'taken_by_words'
  /** Answered that there is no such order, with a code that the code book does not list. */
  | 'absent'
  /** Refused, possibly because of the signature. */
  | 'refused'
  | 'address_not_registered'
  | 'unknown_account'
  /** Refused because the query lacks a filter or a header, according to its text. */
  | 'asks_for_filter'
  | 'asks_for_header'
  /** No more tries are permitted. */
  | 'limited'
  | 'no_evidence';

/** Interprets the gateway's reaction to a query. `success` is the file's `codes.return_status.success`. */
export function meaningOf(reaction: Reaction, success: readonly string[]): Meaning {
  switch (reaction.kind) {
    case 'answered':
      return answerMeaning(reaction, success);
    case 'refused':
      return refusalMeaning(reaction);
    case 'unsignable':
    case 'spent':
    case 'silent':
    case 'unreadable':
      return 'no_evidence';
  }
}

const AFFIRMATIVE = /\b(ok|okay|success(ful(ly)?)?|succeeded|accepted|sucesso|[eé]xito|exitosa?)\b|成功/i;
const NEGATIVE = /\b(no|not|invalid|wrong|fail(ed|ure)?|errors?|denied|refused|rejected|mismatch)\b|不/i;
const ABSENT = /\b(no|not?)\b.*\b(records?|orders?|transactions?|trades?|data|results?|found|exists?)\b|不存在/i;
const WRONGLY_SIGNED =
  /(invalid|wrong|bad|fail|error|mismatch).*(sign|encrypt)|(sign|encrypt).*(invalid|wrong|bad|fail|error|mismatch)/i;
const ACCOUNT = /\b(merchant|account)/i;
const ADDRESS = /\bIPs?\b|white-?\s?list|allow-?\s?list/i;
const LOCKED = /\b(lock(ed)?|block(ed)?|suspend(ed)?|too many (requests|attempts|tries|wrong|failed|signatures?))\b/i;

function answerMeaning(
  { returnStatus, returnMessage }: Extract<Reaction, { kind: 'answered' }>,
  success: readonly string[],
): Meaning {
  // A listed code decides, unless the text says that the signature is wrong or the account is locked.
  if (success.includes(returnStatus) && !WRONGLY_SIGNED.test(returnMessage)) return 'taken';
  if (AFFIRMATIVE.test(returnMessage) && !NEGATIVE.test(returnMessage)) return 'taken_by_words';
  return byWords(returnMessage) ?? 'refused';
}

function refusalMeaning({ status, text }: Extract<Reaction, { kind: 'refused' }>): Meaning {
  if (status === 429) return 'limited';
  if (status < 400 || status >= 500) return 'no_evidence';
  const words = byWords(text);
  // Some servers answer this for an unknown address.
  if (status === 404 && (words === undefined || words === 'absent')) return 'unknown_account';
  return words === 'absent' ? 'refused' : (words ?? 'refused');
}

const REQUIRED =
  /\b(required|mandatory|missing|must (be|have|contain|include)|(can ?not|may not|must not|not) be (empty|blank|null))\b|obrigat[oó]ri|obligatori|必填|不能为空/i;
const HEADER = /\bheaders?\b/i;

/** The filters of a query that a text names as missing. */
export function filtersAskedFor(text: string): string[] {
  return REQUIRED.test(text) ? queryFilters.filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(text)) : [];
}

function byWords(text: string): Meaning | undefined {
  if (filtersAskedFor(text).length > 0) return 'asks_for_filter';
  if (HEADER.test(text) && REQUIRED.test(text)) return 'asks_for_header';
  if (ADDRESS.test(text)) return 'address_not_registered';
  if (LOCKED.test(text)) return 'limited';
  if (!ABSENT.test(text) || WRONGLY_SIGNED.test(text)) return undefined;
  return ACCOUNT.test(text) ? 'unknown_account' : 'absent';
}

/** The gateway's reaction in words. */
export function inWords(reaction: Reaction): string {
  switch (reaction.kind) {
    case 'unsignable':
      return reaction.detail;
    case 'spent':
      return 'no more messages may be sent';
    case 'silent':
      return `the gateway gave no answer (${reaction.why})`;
    case 'unreadable':
      return `the gateway’s answer cannot be used (${reaction.why})`;
    case 'refused':
      return `the gateway answered HTTP ${reaction.status}${quoted(reaction.text)}`;
    case 'answered':
      return `the gateway answered return_status ${JSON.stringify(reaction.returnStatus)}${quoted(reaction.returnMessage)}`;
  }
}

function quoted(text: string): string {
  return text === '' ? '' : `: “${text}”`;
}

/** The maximum number of messages to a gateway. Wrong signatures may lock an account. */
export const MAX_TRIES = 10;

/** Steps that depend on the gateway's reactions: each `yield` is a message to send, and returns the reaction. */
export type Steps<Result> = Generator<Try, Result, Reaction>;

/** Sends a message to the gateway, or reports that the limit is reached. */
export type Ask = (attempt: Try) => Steps<Reaction>;

/** A function that sends messages, and stops after ten, or when the gateway mentions a lock or a limit. */
export function createAsk(): Ask {
  let left = MAX_TRIES;
  return function* ask(attempt) {
    if (left === 0) return { kind: 'spent' };
    left -= 1;
    const reaction = yield attempt;
    if (meaningOf(reaction, []) === 'limited') left = 0;
    return reaction;
  };
}

/** Runs the steps one after another; `send` sends each message to the gateway. */
export async function take<Result>(steps: Steps<Result>, send: (attempt: Try) => Promise<Reaction>): Promise<Result> {
  let step = steps.next();
  while (!step.done) step = steps.next(await send(step.value));
  return step.value;
}
