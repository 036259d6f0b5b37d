import type { NewEvent, Pending } from '../facets/outbox.ts';
import type { Step } from '../sql/plan.ts';

/** Webhooks as `turnpike.add_events` takes them. */
export function eventRows(events: readonly NewEvent[]): object[] {
  return events.map(({ id, account, subject, type, created_at, body }) => {
    const delivery: Pending = { status: 'pending', tries: 0, next_try_at: created_at };
    return { id, account, subject, type, created_at, body, delivery: JSON.stringify(delivery) };
  });
}

/** The step of a transaction that adds webhooks. */
export function addEventsStep(events: readonly NewEvent[]): Step {
  return [add, JSON.stringify(eventRows(events))];
}

const add = { name: 'add-events', text: 'SELECT turnpike.add_events($1)' };
