/** What the form needs to know of a card's brand. */
export type Brand = {
  /** One of visa, mastercard, amex, diners, discover, jcb, unionpay, maestro, elo, hipercard, mir, troy, hiper, verve, naranja. */
  id: string;
  name: string;
  /** After how many digits a space is shown. */
  gaps: readonly number[];
  lengths: readonly number[];
  code: { name: string; size: number };
  /** Whether a number with these digits must end in a Luhn check digit. */
  checkDigit: boolean;
};

/** Whose numbers begin how, made by `widget/build/bins.ts`. */
export type BinTable = {
  /** A row a brand, in the form that `brandOf` there gives it. */
  brands: string;
  /** Ranges of first digits, in the form that `encode` there gives them. */
  ranges: string;
};
