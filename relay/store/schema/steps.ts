import { sentAlerts } from './alerts.ts';
import { approvals } from './approvals.ts';
import { deletedRows } from './deleted-rows.ts';
import { earlierPayments } from './earlier-payments.ts';
import { endpoints } from './endpoints.ts';
import { listedPayments } from './listed-payments.ts';
import { orderNotes } from './order-notes.ts';
import { ownSignIns } from './own-sign-ins.ts';
import { paymentOperations } from './payment-operations.ts';
import { reversedPayments } from './reversed-payments.ts';
import type { SchemaStep } from './schema.ts';
import { searchedOrders } from './searched-orders.ts';

/** The request log of the API. Its ids sort by time. */
const requestLog: SchemaStep = ({ schema, text, keyed }) => `
  CREATE TABLE ${schema}requests (
    account ${text} NOT NULL,
    id ${text} NOT NULL,
    at ${text} NOT NULL,
    key_name TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER,
    data TEXT NOT NULL,
    PRIMARY KEY (account, id)
  )${keyed};
  CREATE INDEX requests_old ON ${schema}requests (at, account, id);
  CREATE INDEX requests_refused ON ${schema}requests (account, id) WHERE status >= 400;
`;

/**
 * The steps after the first ones, which each database had separately. Every change is one step at the end of this list,
 * even if it concerns one database only, because a version is a number of steps. Never edit a step that databases have
 * had.
 */
export const commonSteps: readonly SchemaStep[] = [
  paymentOperations,
  endpoints,
  earlierPayments,
  listedPayments,
  sentAlerts,
  orderNotes,
  reversedPayments,
  searchedOrders,
  ownSignIns,
  approvals,
  deletedRows,
  // Procedures find a session and an attempt among those of their order.
  ({ replacedProcedures }) => replacedProcedures,
  requestLog,
];

/**
 * When the next work on each row was planned. If the clock that planned it was ahead, the work is due at once
 * (`dueBy`).
 */
export const plannedAt: SchemaStep = ({ schema, text }) => `
  ALTER TABLE ${schema}orders ADD COLUMN planned_at ${text};
  ALTER TABLE ${schema}operations ADD COLUMN planned_at ${text};
  ALTER TABLE ${schema}events ADD COLUMN planned_at ${text};
  ALTER TABLE ${schema}notifications ADD COLUMN planned_at ${text};
  CREATE INDEX orders_planned ON ${schema}orders (planned_at) WHERE next_query_at IS NOT NULL;
  CREATE INDEX operations_planned ON ${schema}operations (planned_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX events_planned ON ${schema}events (account, planned_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX notifications_planned ON ${schema}notifications (planned_at) WHERE due_at IS NOT NULL;
`;
