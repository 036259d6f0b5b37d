import type { ComponentType } from 'preact';

/** What the form needs to know of a card's brand. */
export type Brand = {
  /** The identifier of credit-card-type, such as `american-express`. */
  id: string;
  name: string;
  /** After how many digits a space is shown. */
  gaps: readonly number[];
  lengths: readonly number[];
  code: { name: string; size: number };
  /** Whether a number with these digits must end in a Luhn check digit. */
  checkDigit: boolean;
};

/**
 * The table of brands. It is loaded on its own while the shopper starts to type; until then, and if it never comes, a card
 * is grouped in fours and checked by Luhn alone.
 */
export type Brands = {
  /** The brand that these digits most likely belong to; undefined when there is none. */
  likely(digits: string): Brand | undefined;
  /** The brand that these digits belong to; undefined while more than one is still possible. */
  certain(digits: string): Brand | undefined;
  /** The brand's mark. */
  Mark: ComponentType<{ id: string }>;
};
