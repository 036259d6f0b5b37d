/**
 * The deviations of a gateway and its shops. `emptyLists`: an empty list is left out, and the profile of the relays
 * reads such an answer that way. `lateCodes`: at first the profile does not list the code of declined records.
 * `endpoints`: each shop has a second endpoint, or one of the shops has none.
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
 * The gateway dates its records in the time of Paris, and the history begins this long before the clocks change.
 * `isLate`: the gateway sets its clocks forward an hour late.
 */
export type Zone = { change: 'spring' | 'autumn'; minutesBefore: number; isLate?: boolean };

/** Changed order numbers in the gateway's records, and also in its answers if `isInAnswers`. */
export type Numbers = { form: 'small letters' | 'trailing blank'; isInAnswers: boolean };
