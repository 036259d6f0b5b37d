import * as right from '../../../../relay/commit/new-event.ts';

export * from '../../../../relay/commit/new-event.ts';

/** Wrong: a session that ends while the configuration leaves its account out sends no webhook. */
export const newEvent: typeof right.newEvent = (context, subject, ...rest) => {
  const isConfigured = context.config.accounts.some(({ id }) => id === subject.account);
  return isConfigured ? right.newEvent(context, subject, ...rest) : [];
};
