import type { PayoutAnswer } from '../../../shared/gateway/payout.ts';
import { payoutAmounts } from './payout-amounts.ts';
import type { Payout } from './payouts.ts';

/** The spec's one field that only the answer has; the systems here are examples. */
const clearingSystems: Readonly<Record<string, string>> = { BR: 'STR', GB: 'FPS', US: 'ACH', MX: 'SPEI', IN: 'NEFT' };

/** §2.10: a payout as it is answered: what was asked for, and what became of it. */
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
