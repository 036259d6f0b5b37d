import { passesLuhn } from '../../../shared/card-data/luhn.ts';
import { maskPan } from '../../../shared/card-data/mask.ts';

/** Returns this many random bytes. */
export type Random = (size: number) => Uint8Array;

/** A transaction_id: 20 digits, which is longer than any card number. */
export function transactionId(random: Random): string {
  return (BigInt(`0x${hex(random, 10)}`) % 10n ** 20n).toString().padStart(20, '0');
}

/** A name for an address that cannot be guessed. */
export function unguessable(random: Random): string {
  return hex(random, 16);
}

/** A recurring_id. */
export function recurringId(random: Random): string {
  return `R${hex(random, 6)}`;
}

/** A short name for people to read out: two letters and eight hex digits. */
export function shortReference(prefix: string, random: Random): string {
  return `${prefix}-${hex(random, 4).toUpperCase()}`;
}

function hex(random: Random, size: number): string {
  return Buffer.from(random(size)).toString('hex');
}

/** The sender of a message. */
export type Account = { merchant_id: string; account_id: string };

/** A merchant that may send messages, and its signing secret. */
export type Merchant = Account & { signing_secret: string };

/** The merchant with these two ids. */
export function merchantOf(merchants: readonly Merchant[], { merchant_id, account_id }: Account): Merchant | undefined {
  return merchants.find((merchant) => merchant.merchant_id === merchant_id && merchant.account_id === account_id);
}

/** True for 12 to 19 digits with a right Luhn check digit. */
export function isCardNumber(text: string): boolean {
  return /^\d{12,19}$/.test(text) && passesLuhn(text);
}

/** The first six and last four digits of a card number, with asterisks between; any other text becomes asterisks. */
export function maskCard(card: string): string {
  return /^\d{12,19}$/.test(card) ? maskPan(card) : '******';
}
