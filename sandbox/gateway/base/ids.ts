/** Gives this many random bytes. */
export type Random = (size: number) => Uint8Array;

/** A transaction_id: 20 digits, which is longer than any card number. */
export function transactionId(random: Random): string {
  return (BigInt(`0x${hex(random, 10)}`) % 10n ** 20n).toString().padStart(20, '0');
}

/** A name that nobody can guess, for an address. */
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
