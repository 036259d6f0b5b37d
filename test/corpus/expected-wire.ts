/** Amounts that are sent to the gateway with the decimals of their currency. Those of a payout are sent unchanged. */
const amounts = new Set([
  ...['amount', 'item_total', 'shipping', 'handling', 'tax_total', 'insurance', 'shipping_discount', 'discount'],
  ...['refund_amount', 'contract_amount', 'price'],
]);

/** The currencies with more than two decimals. */
const decimals = new Map([
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code): [string, number] => [code, 3]),
  ...['CLF', 'UYW'].map((code): [string, number] => [code, 4]),
]);

/**
 * The message that a shop's request must cause on the wire, derived from the specification's field names and
 * independent of the relay's code. Empty fields are absent, except in an item, which must have all of its fields.
 */
export function expectedWire(value: unknown, field = '', currency = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => expectedWire(entry, field, currency));
  if (typeof value === 'object' && value !== null) {
    const own = 'currency' in value && 'amount' in value ? String(value.currency) : currency;
    const entries = Object.entries(value).filter(([, inner]) => field === 'items' || inner !== '');
    return Object.fromEntries(entries.map(([name, inner]) => [name, expectedWire(inner, name, own)]));
  }
  if (typeof value !== 'string') return value;
  if (amounts.has(field)) return withDecimals(value, decimals.get(currency) ?? 2);
  switch (field) {
    case 'card':
      return [...value].filter((sign) => sign >= '0' && sign <= '9').join('');
    case 'expiration_month':
      return value.length === 1 ? `0${value}` : value;
    case 'expiration_year':
      return value.length === 2 ? `20${value}` : value;
    case 'query_start':
    case 'query_end':
      return value.includes('T') ? new Date(value).toISOString().slice(0, 19).replace('T', ' ') : value;
    default:
      return value;
  }
}

function withDecimals(amount: string, digits: number): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.padEnd(digits, '0').slice(0, digits)}`;
}
