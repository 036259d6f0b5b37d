import { creditFaults } from './credits.ts';
import type { Faults } from './fault.ts';
import { notificationFaults } from './notifications.ts';
import { operationFaults } from './operations.ts';
import { paymentFaults } from './payments.ts';
import { queryFaults } from './queries.ts';
import { requestFaults } from './requests.ts';

/** All faults. */
export const faults: Faults = {
  ...paymentFaults,
  ...creditFaults,
  ...queryFaults,
  ...requestFaults,
  ...operationFaults,
  ...notificationFaults,
};
