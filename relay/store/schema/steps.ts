import type { SchemaStep } from './schema.ts';

/**
 * The steps of both databases, after those that each had of its own. Every change is one step here, at the end, also of what one
 * database alone has: a version counts the steps before it. Never edit a step that databases have had.
 */
export const commonSteps: readonly SchemaStep[] = [];

/** When the next query, look, try or turn was planned: one that a clock planned which was ahead is due. */
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
