import * as right from '../../../../relay/base/keys.ts';

export * from '../../../../relay/base/keys.ts';

/** Wrong: keys that were derived from the previous signing secret are not accepted. */
export const isClientSecret: typeof right.isClientSecret = (account, ...rest) =>
  right.isClientSecret({ ...account, previousKeys: [] }, ...rest);

export const isNotificationToken: typeof right.isNotificationToken = (account, ...rest) =>
  right.isNotificationToken({ ...account, previousKeys: [] }, ...rest);
