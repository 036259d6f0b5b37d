import { operations } from '../../../shared/gateway/operations.ts';
import type { SubscriptionCancelRequest } from '../../../shared/gateway/review-capture-cancel.ts';
import type { Contract } from '../books/contract.ts';
import type { Contracts } from '../books/contracts.ts';
import { type Handler, handler } from './handler.ts';

/** §2.8, §3: ends a contract at once. The period that runs is still charged at its end. */
export function subscriptionCancel({ contracts }: { contracts: Contracts }): Handler {
  return handler(operations.subscription_cancel.request, (request) => {
    const { merchant_id, account_id, recurring_id } = request;
    const contract = ownContract(contracts, request);
    const refusal = whyNotCancelled(contract, request);
    if (contract && refusal === undefined) contracts.cancel(contract);
    return {
      fields: {
        merchant_id,
        account_id,
        recurring_id,
        contract_name: request.contract_name || contract?.contract_name || '',
        cancel_status: refusal === undefined ? '1' : '0',
        error_message: refusal ?? '',
      },
    };
  });
}

function ownContract(contracts: Contracts, request: SubscriptionCancelRequest): Contract | undefined {
  const contract = contracts.withId(request.recurring_id);
  const own = contract?.merchant_id === request.merchant_id && contract.account_id === request.account_id;
  return own ? contract : undefined;
}

function whyNotCancelled(
  contract: Contract | undefined,
  { contract_name }: SubscriptionCancelRequest,
): string | undefined {
  if (!contract) return 'No such subscription';
  if (contract_name && contract_name !== contract.contract_name) return 'The subscription has another contract_name';
  switch (contract.status) {
    case 'active':
      return undefined;
    case 'cancelled':
      return 'The subscription is already cancelled';
    case 'completed':
      return 'The subscription has ended';
  }
}
