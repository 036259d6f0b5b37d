import type { SubscriptionAnswer } from '../../../shared/api/subscription.ts';
import type { CsvColumns } from '../../http/csv.ts';

const own = ['recurring_id', 'contract_name', 'status', 'order_no', 'started_at', 'shopper_email', 'card'] as const;

/** Contracts as CSV. */
export const subscriptionColumns: CsvColumns<SubscriptionAnswer> = [
  ...own.map((name) => [name, (contract: SubscriptionAnswer) => contract[name]] as const),
  ['currency', ({ currency }) => currency],
  ['first_amount', ({ first_charge }) => first_charge.amount],
  ['interval', ({ terms }) => terms?.interval],
  ['contract_amount', ({ terms }) => terms?.contract_amount],
  ['later_charges', ({ later_charges }) => later_charges],
  ['last_charge_at', ({ last_charge }) => last_charge?.at],
  ['last_charge_amount', ({ last_charge }) => last_charge?.amount],
  ['failures', ({ failures }) => failures],
  ['last_failure_at', ({ last_failure }) => last_failure?.at],
  ['last_failure_code', ({ last_failure }) => last_failure?.result.code],
  ['next_charge_date', ({ next_charge }) => next_charge?.date],
  ['next_charge_amount', ({ next_charge }) => next_charge?.amount],
  ['end_status', ({ end }) => end?.outcome ?? end?.status],
  ['end_at', ({ end }) => end?.at],
  ['end_by', ({ end }) => end?.by],
];
