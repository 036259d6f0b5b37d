import type { SchemaStep } from './schema.ts';

/**
 * Adds the endpoint to each row of `events`, which is the row's delivery. Existing rows get the endpoint `default`. The
 * row of an event that no endpoint wants, or that has one row for each of several endpoints, has an empty endpoint;
 * those rows have the event's id in `event_id`.
 */
export const endpoints: SchemaStep = ({ schema, text, replacedProcedures }) => `
  ALTER TABLE ${schema}events ADD COLUMN endpoint ${text} NOT NULL DEFAULT 'default';
  ALTER TABLE ${schema}events ADD COLUMN event_id ${text};
  DROP INDEX ${schema}events_due;
  DROP INDEX ${schema}events_planned;
  DROP INDEX ${schema}events_pending;
  CREATE INDEX events_due ON ${schema}events (account, endpoint, next_try_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX events_planned ON ${schema}events (account, endpoint, planned_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX events_pending ON ${schema}events (seq, endpoint) WHERE status = 'pending';
  CREATE INDEX events_deliveries ON ${schema}events (event_id) WHERE event_id IS NOT NULL;
  ${replacedProcedures}`;
