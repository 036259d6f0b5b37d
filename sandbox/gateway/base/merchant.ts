/** Whose message it is. */
export type Account = { merchant_id: string; account_id: string };

/** Whoever may send messages, and the secret they sign with. */
export type Merchant = Account & { signing_secret: string };

/** The merchant that these ids name together. */
export function merchantOf(merchants: readonly Merchant[], { merchant_id, account_id }: Account): Merchant | undefined {
  return merchants.find((merchant) => merchant.merchant_id === merchant_id && merchant.account_id === account_id);
}
