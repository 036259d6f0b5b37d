import { type Bell, createBell } from '../base/rounds.ts';
import type { NewEvent } from '../store/event.ts';
import type { Store } from '../store/store.ts';

/** A bell for each account, that rings when a webhook of it was written: its delivery need not wait for its next look. */
export type OutboxBells = { of(account: string): Bell };

export function createOutboxBells(): OutboxBells {
  const bells = new Map<string, Bell>();
  return {
    of(account) {
      const bell = bells.get(account) ?? createBell();
      bells.set(account, bell);
      return bell;
    },
  };
}

/** The same store, that rings once a webhook is durable and may be sent. */
export function ringing(store: Store, bells: OutboxBells): Store {
  const ring = (events: readonly NewEvent[]): void => {
    for (const { account } of events) bells.of(account).ring();
  };
  return {
    ...store,
    async settle(session, attempt, hold, events) {
      const isWritten = await store.settle(session, attempt, hold, events);
      if (isWritten) ring(events);
      return isWritten;
    },
    async update(session, events) {
      const isWritten = await store.update(session, events);
      if (isWritten) ring(events);
      return isWritten;
    },
    async finishOperation(finish) {
      const isWritten = await store.finishOperation(finish);
      if (isWritten) ring(finish.events);
      return isWritten;
    },
    async addEvents(events) {
      await store.addEvents(events);
      ring(events);
    },
    async redeliverEvent(account, id, now) {
      const result = await store.redeliverEvent(account, id, now);
      if (result.kind === 'redelivered') ring([result.event]);
      return result;
    },
  };
}
