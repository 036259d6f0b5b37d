import * as right from '../../../../relay/reconciliation/sort-records.ts';

export * from '../../../../relay/reconciliation/sort-records.ts';

/** Wrong: a record that means "not found" counts as a payment's record. */
export const sortRecords: typeof right.sortRecords = (context, about, list) => {
  const { config } = context;
  const { codes, ...profile } = config.gateway.profile;
  const unread = { ...profile, codes: { ...codes, query_result: { not_found: [] } } };
  return right.sortRecords(
    { ...context, config: { ...config, gateway: { ...config.gateway, profile: unread } } },
    about,
    list,
  );
};
