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
  /** No paid order is asked about by the day. */
  paidDays?: 'none';
  endpoints?: 'two' | 'none';
};

/**
 * How the gateway writes what the spec has otherwise: amounts and codes as JSON numbers, currencies in small letters, or a record that
 * says of an order without records that it is not found.
 */
export type Wording = 'json numbers' | 'small currencies' | 'not found';

/**
 * The gateway dates its records by the clocks of Paris, and the history begins so long before they change. `isLate`: it sets them
 * forward an hour late.
 */
export type Zone = { change: 'spring' | 'autumn'; minutesBefore: number; isLate?: boolean };

/** How the gateway writes order numbers, where it does not write them as it got them: in its records, or in answers too. */
export type Numbers = { form: 'small letters' | 'trailing blank'; isInAnswers: boolean };
