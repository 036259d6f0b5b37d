import * as right from '../../../../relay/commit/new-event.ts';

export * from '../../../../relay/commit/new-event.ts';

/** Wrong: an event goes to the first of several endpoints alone. */
export const newEvent: typeof right.newEvent = (...terms) =>
  right.newEvent(...terms).map((event) => ({ ...event, endpoints: event.endpoints.slice(0, 1) }));
