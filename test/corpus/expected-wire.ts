/** Amounts that go to the gateway with two decimals; those of a payout go as they are. */
const amounts = new Set([
  ...['amount', 'item_total', 'shipping', 'handling', 'tax_total', 'insurance', 'shipping_discount', 'discount'],
  ...['refund_amount', 'contract_amount', 'price'],
]);

/** What a shop's request must be on the wire, told by the spec's field names and by nothing of the relay's own code. */
export function expectedWire(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => expectedWire(entry, field));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expectedWire(inner, name)]));
  }
  if (typeof value !== 'string') return value;
  if (amounts.has(field)) return twoDecimals(value);
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

function twoDecimals(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return `${whole.replace(/^0+(?=\d)/, '')}.${`${fraction}00`.slice(0, 2)}`;
}
