/** The currencies of ISO 4217 that have not two decimals. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code): [string, number] => [code, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code): [string, number] => [code, 3]),
  ...'CLF UYW'.split(' ').map((code): [string, number] => [code, 4]),
]);

/** How many decimals a currency has by ISO 4217; two for one that is not known. */
export function currencyDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}
