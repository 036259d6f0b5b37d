import { auditBehaviour } from './audit.ts';
import { endpointBehaviour } from './endpoints.ts';
import { eventBehaviour } from './events.ts';
import type { Open } from './fixtures.ts';
import { keyBehaviour } from './keys.ts';
import { notificationBehaviour } from './notifications.ts';
import { paymentOperationBehaviour } from './operations/on-payments.ts';
import { operationListBehaviour } from './operations/operation-list.ts';
import { operationBehaviour } from './operations/operations.ts';
import { referenceBehaviour } from './operations/references.ts';
import { refundBehaviour } from './operations/refunds.ts';
import { attentionBehaviour } from './orders/attention.ts';
import { leaseBehaviour } from './orders/leases.ts';
import { listBehaviour } from './orders/listing.ts';
import { orderBehaviour } from './orders/orders.ts';
import { quotaBehaviour } from './orders/quotas.ts';
import { sessionBehaviour } from './orders/sessions.ts';
import { transactionBehaviour } from './orders/transactions.ts';
import { writeBehaviour } from './orders/writes.ts';
import { signInBehaviour } from './sign-ins.ts';
import { statsBehaviour } from './stats.ts';
import { tallyBehaviour } from './tallies.ts';
import { upkeepBehaviour } from './upkeep.ts';

/** Everything that a store must do, whatever it stores in. */
export function storeBehaviour(open: Open): void {
  sessionBehaviour(open);
  orderBehaviour(open);
  transactionBehaviour(open);
  writeBehaviour(open);
  leaseBehaviour(open);
  notificationBehaviour(open);
  quotaBehaviour(open);
  keyBehaviour(open);
  operationBehaviour(open);
  refundBehaviour(open);
  paymentOperationBehaviour(open);
  operationListBehaviour(open);
  listBehaviour(open);
  referenceBehaviour(open);
  attentionBehaviour(open);
  auditBehaviour(open);
  signInBehaviour(open);
  endpointBehaviour(open);
  eventBehaviour(open);
  statsBehaviour(open);
  tallyBehaviour(open);
  upkeepBehaviour(open);
}
