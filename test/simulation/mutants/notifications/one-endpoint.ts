import * as right from '../../../../relay/commit/new-event.ts';

export * from '../../../../relay/commit/new-event.ts';

/** Wrong: an event is sent only to the first of several endpoints. */
export const newEvent: typeof right.newEvent = (...terms) =>
  right.newEvent(...terms).map((event) => ({ ...event, endpoints: event.endpoints.slice(0, 1) }));
