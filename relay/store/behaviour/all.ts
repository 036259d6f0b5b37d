import { attentionBehaviour } from './attention.ts';
import { auditBehaviour } from './audit.ts';
import { eventBehaviour } from './events.ts';
import type { Open } from './fixtures.ts';
import { keyBehaviour } from './keys.ts';
import { leaseBehaviour } from './leases.ts';
import { listBehaviour } from './listing.ts';
import { notificationBehaviour } from './notifications.ts';
import { operationListBehaviour } from './operation-list.ts';
import { operationBehaviour } from './operations.ts';
import { orderBehaviour } from './orders.ts';
import { quotaBehaviour } from './quotas.ts';
import { referenceBehaviour } from './references.ts';
import { sessionBehaviour } from './sessions.ts';
import { signInBehaviour } from './sign-ins.ts';
import { statsBehaviour } from './stats.ts';
import { tallyBehaviour } from './tallies.ts';
import { upkeepBehaviour } from './upkeep.ts';
import { writeBehaviour } from './writes.ts';

/** Everything that a store must do, whatever it stores in. */
export function storeBehaviour(open: Open): void {
  sessionBehaviour(open);
  orderBehaviour(open);
  writeBehaviour(open);
  leaseBehaviour(open);
  notificationBehaviour(open);
  quotaBehaviour(open);
  keyBehaviour(open);
  operationBehaviour(open);
  operationListBehaviour(open);
  listBehaviour(open);
  referenceBehaviour(open);
  attentionBehaviour(open);
  auditBehaviour(open);
  signInBehaviour(open);
  eventBehaviour(open);
  statsBehaviour(open);
  tallyBehaviour(open);
  upkeepBehaviour(open);
}
