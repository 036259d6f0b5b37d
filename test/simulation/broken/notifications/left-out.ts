import * as right from '../../../../relay/webhooks/new-event.ts';

export * from '../../../../relay/webhooks/new-event.ts';

/** Wrong: a session that ends while the configuration leaves its account out sends no webhook. */
export const newEvent: typeof right.newEvent = (context, subject, ...rest) =>
  hasWebhook(context, subject.account) ? right.newEvent(context, subject, ...rest) : [];

export const hasWebhook: typeof right.hasWebhook = ({ config }, account) =>
  config.accounts.some(({ id, webhook }) => id === account && webhook !== undefined);
