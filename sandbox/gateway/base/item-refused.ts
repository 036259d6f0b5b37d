/** Why an item of a batch is refused: the code that a refund_message shows (§2.5), and the text of any error_message. */
const itemRefusals = {
  V0001: 'No such transaction',
  V0002: 'The transaction belongs to another order',
  V0003: 'The transaction is in another currency',
  V0004: 'The amount is not the original amount',
  V0005: 'The payment was declined',
  V0006: 'The payment was cancelled',
  V0007: 'The payment is held for review',
  V0008: 'The refund amount must be more than zero',
  V0009: 'The refund amount is more than what is left to refund',
  V0010: 'The payment is already captured',
  V0011: 'The payment was refunded',
  V0012: 'The amount must be more than zero',
  V0013: 'The amount is more than what was authorised',
  V0014: 'The payment was already reviewed',
  V0015: 'The review_flag is none of 1, ACCEPT, APPROVE, 0, REJECT, DECLINE',
} as const;

type ItemRefusal = keyof typeof itemRefusals;

/** The gateway does not do what one item of a batch asks for; the other items are not touched by that. */
export class ItemRefused extends Error {
  readonly code: ItemRefusal;
  override readonly name = 'ItemRefused';

  constructor(code: ItemRefusal) {
    super(itemRefusals[code]);
    this.code = code;
  }
}
