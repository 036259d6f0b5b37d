/** Blanks and invisible characters: control characters, joiners, marks of direction and the like. */
const UNSEEN = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** The form of a transaction_id: equal for ids that differ only in letter case (A to Z), blanks or invisible characters. */
export function transactionForm(transactionId: string): string {
  return transactionId.replace(UNSEEN, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** An item whose transaction_id differs from a `known` one only in its form. */
export type OtherForm = { item: number; known: string };

/**
 * The first item whose transaction_id is another form of a known one, or of an earlier one in the batch. Transactions are compared
 * exactly, so the limits of a payment would not count it.
 * @param known transaction_ids of the account's payments and earlier operations that may have the form of one of the items
 */
export function otherForm(items: readonly string[], known: readonly string[]): OtherForm | undefined {
  const spellings = Map.groupBy(new Set([...known, ...items]), transactionForm);
  const exact = new Set(known);
  for (const [item, id] of items.entries()) {
    const others = spellings.get(transactionForm(id)) ?? [];
    const [other] = others;
    if (!exact.has(id) && other !== undefined && other !== id) return { item, known: other };
  }
  return undefined;
}
