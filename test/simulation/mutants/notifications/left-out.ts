import * as right from '../../../../relay/webhooks/new-event.ts';

export * from '../../../../relay/webhooks/new-event.ts';

/** Wrong: a session that ends while the configuration leaves its account out sends no webhook. */
export const newEvent: typeof right.newEvent = (context, subject, ...rest) => {
  const isConfigured = context.config.accounts.some(({ id }) => id === subject.account);
  return isConfigured ? right.newEvent(context, subject, ...rest) : [];
};
