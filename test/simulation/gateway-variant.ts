/**
 * What a gateway does in its own way. It leaves out a list that would be empty, where `emptyLists` is set: that is how the profile
 * of its relays reads such an answer. `lateCodes`: at first the profile does not list the code of declined records. `endpoints`: each shop
 * has a second endpoint, or one of the shops has none.
 */
export type GatewayVariant = {
  numbers?: Numbers;
  emptyLists?: 'not_counted' | 'empty';
  zone?: Zone;
  lateCodes?: boolean;
  wording?: Wording;
  /** Paid orders are not queried daily. */
  paidDays?: 'none';
  endpoints?: 'two' | 'none';
};

/**
 * Deviations from the spec: amounts and codes as JSON numbers, currencies in small letters, or a record with a "not found" result for
 * an order without records.
 */
export type Wording = 'json numbers' | 'small currencies' | 'not found';

/**
 * The gateway dates its records by the clocks of Paris, and the history begins so long before they change. `isLate`: it sets them
 * forward an hour late.
 */
export type Zone = { change: 'spring' | 'autumn'; minutesBefore: number; isLate?: boolean };

/** Changed order numbers in the gateway's records, and also in its answers if `isInAnswers`. */
export type Numbers = { form: 'small letters' | 'trailing blank'; isInAnswers: boolean };
