/** What the form needs to know of a card's brand. */
export type Brand = {
  id: string;
  name: string;
  /** After how many digits a space is shown. */
  gaps: readonly number[];
  lengths: readonly number[];
  code: { name: string; size: number };
  /** Whether a number with these digits must end in a Luhn check digit. */
  checkDigit: boolean;
};
