import type { PayoutRequest } from '../../../shared/gateway/payout.ts';
import { canonicalMessage } from '../../../shared/gateway/signature.ts';
import type { Account } from '../operations/batch.ts';

/** What became of a payout. */
export type PayoutState =
  | { status: 'PROCESSING' }
  | { status: 'COMPLETED' }
  | { status: 'FAILED'; failure_type: string; failure_reason: string };

export type Payout = {
  transaction_id: string;
  short_reference_id: string;
  payer_id: string;
  /** As it came, without its signature. */
  request: Omit<PayoutRequest, 'encryption_data'>;
  createdAt: Date;
  updatedAt: Date;
  state: PayoutState;
};

/** Every payout since the gateway started, in the order they came. A request_id names one payout of an account. */
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

/** True when both messages ask for the very same. */
export function sameRequest(left: Payout['request'], right: Payout['request']): boolean {
  return canonicalMessage(left) === canonicalMessage(right);
}

function keyOf({ merchant_id, account_id }: Account, request_id: string): string {
  return JSON.stringify([merchant_id, account_id, request_id.toLowerCase()]);
}
