/** The brands of cards that the form knows by their numbers. */
export const brandIds = [
  'visa',
  'mastercard',
  'amex',
  'diners',
  'discover',
  'jcb',
  'unionpay',
  'maestro',
  'elo',
  'hipercard',
  'hiper',
  'mir',
  'troy',
  'verve',
  'naranja',
] as const;

export type BrandId = (typeof brandIds)[number];
