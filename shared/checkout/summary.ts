/** The amounts of an order beside its own, in the order in which they are summed up. */
export const sumNames = [
  'item_total',
  'discount',
  'shipping',
  'shipping_discount',
  'handling',
  'insurance',
  'tax_total',
] as const;
type SumName = (typeof sumNames)[number];

/** What an order is made of. Amounts are decimal strings. */
export type OrderParts = {
  /** `price` is that of one piece. */
  items: { name: string; quantity: number; price: string; total: string }[];
  /** How many further items there are, of which nothing else is shown. */
  further: number;
  sums: { name: SumName; amount: string }[];
};

/** The same as the shopper reads it. */
export type Summary = {
  /** `detail` tells of several pieces how many there are, and the price of one. */
  items: { name: string; detail?: string; total: string }[];
  further?: string;
  sums: { label: string; amount: string }[];
};
