/** The English texts around the form on a page of its own. Frames do not carry them. */
export const hostedEn = {
  order_summary: 'Order summary',
  further: 'More items: {count}',
  item_total: 'Subtotal',
  discount: 'Discount',
  shipping: 'Shipping',
  shipping_discount: 'Shipping discount',
  handling: 'Handling',
  insurance: 'Insurance',
  tax_total: 'Tax',
  total: 'Total',
  returning: 'You will go back to {merchant} in 3 seconds.',
  try_again: 'Try again',
  check_again: 'Check again',
} as const;
