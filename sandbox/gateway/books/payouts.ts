import { fromMinor, inCurrency, toMinor } from '../../../shared/gateway/amounts.ts';
import type { PayoutAnswer, PayoutRequest } from '../../../shared/gateway/payout/payout.ts';
import { canonicalMessage } from '../../../shared/gateway/signature.ts';
import type { Account } from '../base/ids.ts';
import { InvalidInput } from '../base/refusals.ts';

/** The state of a payout. */
export type PayoutState =
  | { status: 'PROCESSING' }
  | { status: 'COMPLETED' }
  | { status: 'FAILED'; failure_type: string; failure_reason: string };

export type Payout = {
  transaction_id: string;
  short_reference_id: string;
  payer_id: string;
  /** As received, without its signature. */
  request: Omit<PayoutRequest, 'encryption_data'>;
  createdAt: Date;
  updatedAt: Date;
  state: PayoutState;
};

/**
 * The payouts since the start of the gateway, in the order of arrival. A request_id identifies one payout of an
 * account.
 */
export class Payouts {
  readonly #byRequest = new Map<string, Payout>();

  add(payout: Payout): void {
    this.#byRequest.set(keyOf(payout.request, payout.request.request_id), payout);
  }

  list(): readonly Payout[] {
    return [...this.#byRequest.values()];
  }

  withRequestId(account: Account, request_id: string): Payout | undefined {
    return this.#byRequest.get(keyOf(account, request_id));
  }
}

/** True if both messages are the same request. */
export function sameRequest(left: Payout['request'], right: Payout['request']): boolean {
  return canonicalMessage(left) === canonicalMessage(right);
}

function keyOf({ merchant_id, account_id }: Account, request_id: string): string {
  return JSON.stringify([merchant_id, account_id, request_id.toLowerCase()]);
}

/** The only field of the spec that only the answer has; the systems are examples. */
const clearingSystems: Readonly<Record<string, string>> = { BR: 'STR', GB: 'FPS', US: 'ACH', MX: 'SPEI', IN: 'NEFT' };

/** §2.10: the answer about a payout: its request and its state. */
export function payoutRecord({ request, state, ...payout }: Payout): PayoutAnswer {
  const failed = state.status === 'FAILED';
  return {
    ...request,
    ...(request.beneficiary && { beneficiary: beneficiaryOf(request.beneficiary) }),
    ...payoutAmounts(request),
    transaction_id: payout.transaction_id,
    short_reference_id: payout.short_reference_id,
    payer_id: payout.payer_id,
    status: state.status,
    failure_type: failed ? state.failure_type : '',
    failure_reason: failed ? state.failure_reason : '',
    created_at: timestamp(payout.createdAt),
    last_updated_at: timestamp(payout.updatedAt),
  };
}

function beneficiaryOf(beneficiary: NonNullable<Payout['request']['beneficiary']>) {
  const { bank_details } = beneficiary;
  if (!bank_details) return beneficiary;
  const local_clearing_system = clearingSystems[bank_details.bank_country_code ?? ''] ?? 'SWIFT';
  return { ...beneficiary, bank_details: { ...bank_details, local_clearing_system } };
}

function timestamp(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, '+0000');
}

type Asked = Pick<
  PayoutRequest,
  'payment_amount' | 'payment_currency' | 'source_amount' | 'source_currency' | 'fee_paid_by'
>;

const MAX_UNITS = 9_999_999_999_999_99n;

/**
 * The amounts of a payout (§2.10). The fee is one per cent of the amount, rounded up to the currency's smallest unit.
 * The payer pays it in addition, or, with fee_paid_by BENEFICIARY, the beneficiary receives less. Two amounts define
 * the rate; a single amount counts on both sides, whatever their currencies are. Throws InvalidInput if an amount is
 * missing, or too large for an exact number.
 */
export function payoutAmounts(asked: Asked) {
  const payment_amount = asked.payment_amount ?? asked.source_amount;
  const source_amount = asked.source_amount ?? asked.payment_amount;
  const payment_currency = asked.payment_currency ?? asked.source_currency;
  const source_currency = asked.source_currency ?? asked.payment_currency;
  if (payment_amount === undefined || source_amount === undefined) {
    throw new InvalidInput('payment_amount or source_amount is needed');
  }
  if (payment_currency === undefined || source_currency === undefined) {
    throw new InvalidInput('payment_currency or source_currency is needed');
  }
  const payment = minorOf(payment_amount, payment_currency);
  const source = minorOf(source_amount, source_currency);
  const byBeneficiary = asked.fee_paid_by?.toUpperCase() === 'BENEFICIARY';
  const fee = onePerCentOf(byBeneficiary ? payment : source);
  return {
    payment_amount,
    payment_currency,
    source_amount,
    source_currency,
    amount_beneficiary_receives: exactNumber(byBeneficiary ? payment - fee : payment, payment_currency),
    amount_payer_pays: exactNumber(byBeneficiary ? source : source + fee, source_currency),
    fee_amount: exactNumber(fee, byBeneficiary ? payment_currency : source_currency),
    fee_currency: byBeneficiary ? payment_currency : source_currency,
  };
}

function minorOf(amount: string, currency: string): bigint {
  const written = inCurrency(amount, currency);
  if (written === undefined) throw new InvalidInput(`an amount has more decimals than ${currency}`);
  return toMinor(written, currency);
}

function onePerCentOf(units: bigint): bigint {
  return (units + 99n) / 100n;
}

/**
 * The spec requires numbers here. Up to this size each amount has its own number, and JSON writes it with the right
 * decimals.
 */
function exactNumber(units: bigint, currency: string): number {
  if (units > MAX_UNITS) throw new InvalidInput(`an amount is over ${fromMinor(MAX_UNITS, currency)}`);
  return Number(fromMinor(units, currency));
}
