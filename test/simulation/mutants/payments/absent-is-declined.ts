import * as right from '../../../../relay/payments/settlement/release.ts';

export * from '../../../../relay/payments/settlement/release.ts';

/** Wrong: absent payments are reported as `declined`. */
export const releaseSessions: typeof right.releaseSessions = (before, ...more) => {
  const { order, events } = right.releaseSessions(before, ...more);
  const told = events.map((event) => (event.reason === 'absent' ? { ...event, reason: 'declined' as const } : event));
  return { order, events: told };
};
