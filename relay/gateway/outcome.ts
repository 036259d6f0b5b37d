import { STATUS_CODES } from 'node:http';
import {
  addressHoldsCard,
  type CardSecrets,
  maskOwn,
  maskOwnCard,
  maskText,
  safeMaskedCard,
} from '../../shared/card-data/mask.ts';
import { maskValue } from '../../shared/card-data/message.ts';
import type { Result } from '../../shared/checkout/pay.ts';
import type { Advice } from '../../shared/checkout/status.ts';
import { currencyIn, sameAmount } from '../../shared/gateway/amounts.ts';
import { type CallResult, type Evidence, faults } from './call.ts';
import type { CodeBook } from './profile.ts';

/** Why an attempt's outcome is unknown. */
export const unknownReasons = [
  ...faults,
  'codes_not_listed',
  'codes_disagree',
  'no_transaction_id',
  'gateway_refused',
  'card_in_issuer_url',
  'issuer_unreachable',
  'relay_stopped',
  'query_failed',
  'left_at_issuer',
  'paid_before',
  'amount_differs',
] as const;

export type UnknownReason = (typeof unknownReasons)[number];

/** The fields of an answer (§2.2) that only the shop uses. */
const detailNames = [
  'connector',
  'note',
  'contract_name',
  'recurring_deduction_period',
  'recurring_deduction_time',
] as const;

/** Further details of a payment from the gateway. */
export type PaymentDetails = Readonly<Partial<Record<(typeof detailNames)[number], string>>>;

/** Reads these details from an answer, or from the subscription in a record of a query, without card data. */
export function paymentDetails(fields: Readonly<Record<string, unknown>>, own: CardSecrets = {}): PaymentDetails {
  const details: Partial<Record<(typeof detailNames)[number], string>> = {};
  for (const name of detailNames) {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') continue;
    // A contract's name is not free text, but may still contain the card number.
    details[name] = name === 'contract_name' ? maskOwn(value, own) : String(maskValue(value, own, name));
  }
  return details;
}

/** What the gateway's answer to a payment means. */
export type Outcome =
  /** `unsigned`: without a signature of the gateway. */
  | {
      kind: 'approved';
      transaction_id: string;
      card?: string;
      result: Result;
      recurring_id?: string;
      details?: PaymentDetails;
      unsigned?: true;
    }
  | { kind: 'declined'; transaction_id?: string; card?: string; result: Result; advice: Advice; unsigned?: true }
  | { kind: 'redirect'; issuer_url: string; transaction_id?: string }
  /** The gateway accepted it, and decides later: a voucher or a transfer. */
  | { kind: 'pending'; transaction_id?: string; unsigned?: true }
  | { kind: 'refused'; result: Result; evidence: Evidence }
  | { kind: 'not_sent' }
  /**
   * `signed_approval`: the answer is signed and has the codes of an approval, but cannot count. `signed_id`: the transaction_id in a signed
   * answer that echoes the order.
   */
  | { kind: 'unknown'; reason: UnknownReason; evidence: Evidence; signed_approval?: true; signed_id?: string };

/** The attempt's frozen order, which an answer must repeat. */
type Echo = { merchant_id: string; account_id: string; order_no: string; amount: string; currency: string };

/**
 * Returns the outcome of the gateway's answer to a payment, by the code book only. An answer that does not repeat the order, has unlisted
 * codes or contradicts itself is `unknown`.
 */
export function readOutcome(called: CallResult, expected: Echo, codes: CodeBook, own: CardSecrets): Outcome {
  switch (called.kind) {
    case 'not_sent':
    case 'not_configured':
      return { kind: 'not_sent' };
    case 'refused': {
      const result = { code: `http_${called.status}`, message: refusalText(called.status) };
      return { kind: 'refused', result, evidence: called.evidence };
    }
    case 'unusable':
      return { kind: 'unknown', reason: called.fault, evidence: called.evidence };
    case 'answer': {
      const fields = textFields(called.message);
      return withProof(called, fields, outcomeOf(fields, expected, codes, own, called.evidence), codes);
    }
  }
}

/** Marks the outcome of an unsigned answer, which proves nothing, and a signed approval that cannot count. */
function withProof(
  { unsigned }: Extract<CallResult, { kind: 'answer' }>,
  answer: Readonly<Record<string, string>>,
  outcome: Outcome,
  codes: CodeBook,
): Outcome {
  if (unsigned) {
    if (outcome.kind === 'approved' || outcome.kind === 'declined' || outcome.kind === 'pending')
      return { ...outcome, unsigned };
    if (outcome.kind !== 'unknown') return outcome;
    const { signed_id: _, ...unknown } = outcome;
    return unknown;
  }
  return outcome.kind === 'unknown' && hasApprovalCodes(answer, codes)
    ? { ...outcome, signed_approval: true }
    : outcome;
}

function hasApprovalCodes(
  { order_status = '', result_info = '' }: Readonly<Record<string, string>>,
  { order_status: listed, result_info: { success } }: CodeBook,
): boolean {
  return listed.approved.includes(order_status) && success.includes(splitResult(result_info)?.code ?? '');
}

/** The text of an HTTP status; §7 has texts for two of them. */
function refusalText(status: number): string {
  if (status === 400) return 'Invalid input';
  return status === 404 ? 'Record not found' : (STATUS_CODES[status] ?? 'Not taken');
}

/** Whether `given` has the order and account of `expected`; amounts are compared by value. */
function repeatsOrder(given: Readonly<Record<string, string>>, expected: Echo): boolean {
  return (
    given.merchant_id === expected.merchant_id &&
    given.account_id === expected.account_id &&
    given.order_no === expected.order_no &&
    currencyIn(given.currency ?? '') === expected.currency &&
    sameAmount(given.amount ?? '', expected.amount)
  );
}

function outcomeOf(
  answer: Readonly<Record<string, string>>,
  expected: Echo,
  codes: CodeBook,
  own: CardSecrets,
  evidence: () => Evidence,
): Outcome {
  if (!repeatsOrder(answer, expected)) return { kind: 'unknown', reason: 'echo_mismatch', evidence: evidence() };

  const info = splitResult(answer.result_info ?? '');
  const status = answer.order_status ?? '';
  const success = info !== undefined && codes.result_info.success.includes(info.code);
  const approved = codes.order_status.approved.includes(status);
  const declined = codes.order_status.declined.includes(status);
  const named = identifierIn(answer.transaction_id);
  const transaction: { transaction_id?: string } = named ? { transaction_id: maskOwnCard(named, own) } : {};
  const signed = transaction.transaction_id === undefined ? {} : { signed_id: transaction.transaction_id };
  const unknown = (reason: UnknownReason): Outcome => ({ kind: 'unknown', reason, evidence: evidence(), ...signed });
  const masked = safeMaskedCard(answer.card, own);
  const card = masked ? { card: masked } : {};

  if (answer.issuer_url) {
    if (approved || declined) return unknown('codes_disagree');
    const { merchant_id, account_id, order_no } = expected;
    const ids = [order_no, named ?? '', merchant_id, account_id];
    if (addressHoldsCard(answer.issuer_url, own, ids)) return unknown('card_in_issuer_url');
    return { kind: 'redirect', issuer_url: answer.issuer_url, ...transaction };
  }
  if (codes.order_status.pending.includes(status)) return { kind: 'pending', ...transaction };
  if (!info || !(approved || declined)) return unknown('codes_not_listed');
  // Only the shown text is masked: `info.code` itself stays, even if it looks like the security code.
  const result = { code: maskText(maskOwnCard(info.code, own)), message: maskText(info.message, own) };
  if (approved && success) {
    // Without it the payment can be neither refunded nor distinguished from a second one: a query supplies it.
    if (transaction.transaction_id === undefined) return unknown('no_transaction_id');
    const contract = identifierIn(answer.recurring_id);
    const recurring = contract ? { recurring_id: maskOwnCard(contract, own) } : {};
    const details = paymentDetails(answer, own);
    return { kind: 'approved', transaction_id: transaction.transaction_id, ...card, result, ...recurring, details };
  }
  if (declined && !approved && !success) {
    const advice = codes.result_info.advice[info.code] ?? 'try_another_card';
    return { kind: 'declined', ...transaction, ...card, result, advice };
  }
  return unknown('codes_disagree');
}

function splitResult(resultInfo: string): Result | undefined {
  const [, code, message] = /^([^:]+):(.*)$/s.exec(resultInfo) ?? [];
  return code === undefined || message === undefined ? undefined : { code, message };
}

function textFields(message: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(message)) if (typeof value === 'string') texts[name] = value;
  return texts;
}

/** 1 to 255 visible characters or blanks, but not only blanks. Some gateways pad their names with blanks. */
const printable = /^(?! *$)[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u;

/**
 * The gateway's name for a payment, refund or contract, if the value can be a name: it is stored, shown, and sent back to the gateway in
 * later messages. Undefined for any other value.
 */
export function identifierIn(value: string | null | undefined): string | undefined {
  return typeof value === 'string' && printable.test(value) ? value : undefined;
}
