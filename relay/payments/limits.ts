/** What attempts to pay are counted by, beside their session; and sign-ins to the console, which are counted likewise. */
export const limitNames = ['ip', 'card', 'account', 'sign_in'] as const;

export type LimitName = (typeof limitNames)[number];

/** No window is longer: what was counted before it limits nothing. */
export const MAX_WINDOW_MS = 3_600_000;

/**
 * How many attempts may be made in any window of time with one thing. `key` names that thing without telling it; it is
 * different for every name, account and thing.
 */
export type Quota = { name: LimitName; key: string; most: number; window_ms: number };

/** The attempt would be one too many; `until` (ISO 8601) is when that ends. Nothing was counted. */
export type Limited = { kind: 'limited'; limit: LimitName; until: string };
