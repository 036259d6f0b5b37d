import type { DirectPaymentRequest } from '../../../shared/gateway/direct-payment.ts';

type Expiry = Pick<DirectPaymentRequest, 'expiration_month' | 'expiration_year'>;

/**
 * True when a card's expiry is given and is over, or cannot be read: a month from 1 to 12 and a year of two or four digits
 * (§2.1 does not say which). A card is good until its month ends, in UTC. Without an expiry it is good.
 */
export function isExpired({ expiration_month = '', expiration_year = '' }: Expiry, now: Date): boolean {
  if (expiration_month === '' && expiration_year === '') return false;
  if (!/^(0?[1-9]|1[0-2])$/.test(expiration_month) || !/^(20)?\d\d$/.test(expiration_year)) return true;
  const year = 2000 + Number(expiration_year.slice(-2));
  return now.getTime() >= Date.UTC(year, Number(expiration_month));
}
