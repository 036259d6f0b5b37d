import type { Contract } from './contract.ts';
import type { Payment } from './payments.ts';

/** §2.2: 1 approved, 0 not. */
export function orderStatus({ state }: Payment): '0' | '1' {
  return state.status === 'approved' ? '1' : '0';
}

/** §2.4: 3000 approved, captured or not, refunded or not; 4100 declined, cancelled, or rejected in review. */
export function paymentStatus({ state }: Payment): '3000' | '4100' {
  return state.status === 'approved' ? '3000' : '4100';
}

/** §2.4: why a payment is not approved; empty when it is. */
export function reasonOf({ state }: Payment): string {
  switch (state.status) {
    case 'declined':
    case 'cancelled':
      return state.reason;
    case 'approved':
    case 'undecided':
      return '';
  }
}

/** §2.4: 1 active; 0 cancelled, or charged for the last time. */
export function recurringStatus({ status }: Contract): '0' | '1' {
  return status === 'active' ? '1' : '0';
}
