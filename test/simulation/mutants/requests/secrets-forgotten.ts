import * as right from '../../../../relay/base/keys.ts';

export * from '../../../../relay/base/keys.ts';

/** Wrong: what was derived from the signing secret before this one is worth nothing. */
export const isClientSecret: typeof right.isClientSecret = (account, ...rest) =>
  right.isClientSecret({ ...account, previousKeys: [] }, ...rest);

export const isNotificationToken: typeof right.isNotificationToken = (account, ...rest) =>
  right.isNotificationToken({ ...account, previousKeys: [] }, ...rest);
