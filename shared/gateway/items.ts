import { z } from 'zod';
import { shopAmount } from './amount-fields.ts';
import { withPoint } from './amounts.ts';
import { text } from './text.ts';

const FIELD_SEPARATOR = '#,#';
const ITEM_SEPARATOR = '#;#';

/** One line of an order. `price` is a decimal string, `quantity` a whole number of at least one. */
export type Item = { name: string; code: string; price: string; quantity: number };

/** An item as the shop sends it in `order.items`. */
export const shopItem = z
  .strictObject({
    name: text().describe(
      'The name of the article. It may not contain `#,` or `#;`, or begin with a comma or semicolon: the gateway’s format uses them.',
    ),
    code: text().describe('Your code of the article, under the same rule.'),
    price: shopAmount.describe('The price of one piece.'),
    quantity: z.int().min(1, 'must be a positive integer').describe('The quantity.'),
  })
  .meta({ name: 'Item', description: 'One line of the order.' });

/** Items as a list or in the one-string form of §2.1. The result is a list that can be encoded. */
export const shopItems = z
  .union([z.array(shopItem).max(1000), text(1_048_576)], 'must be a list of items, or the string of §2.1')
  .transform((items, context) => {
    try {
      // Prices in the gateway's own form are not in cents.
      const list =
        typeof items === 'string'
          ? decodeItems(items).map((item) => ({ ...item, price: withPoint(item.price) }))
          : items;
      encodeItems(list);
      return list;
    } catch (error) {
      if (!(error instanceof ItemsError)) throw error;
      context.addIssue({ code: 'custom', message: `cannot be sent: ${error.message}` });
      return z.NEVER;
    }
  })
  .pipe(z.array(shopItem).max(1000))
  .meta({ name: 'Items', description: 'The lines of an order: a list, or the one string of the gateway’s own form.' });

/** The items cannot be written in, or read from, the one-string form of §2.1. */
export class ItemsError extends Error {
  readonly code = 'items_not_encodable';
  override readonly name = 'ItemsError';
}

/**
 * Writes items in the one-string form of §2.1: text, code, price and quantity joined by `#,#`, items joined by `#;#`.
 * Throws ItemsError if the result could not be read back to the same items.
 */
export function encodeItems(items: readonly Item[]): string {
  for (const item of items) checkItem(item);
  for (const item of items) {
    if (!sameItems(tryDecode(encodeItem(item)), [item])) {
      const start = [item.name, item.code].join(FIELD_SEPARATOR);
      throw new ItemsError(`the encoded text cannot be read back: "${start}" splits elsewhere`);
    }
  }
  return itemsText(items);
}

/** The one-string form of §2.1 for items that `encodeItems` accepted before. */
export function itemsText(items: readonly Item[]): string {
  return items.map(encodeItem).join(ITEM_SEPARATOR);
}

/** Reads the one-string form of §2.1. Throws ItemsError for any other text. */
export function decodeItems(wire: string): Item[] {
  if (wire === '') return [];
  return wire.split(ITEM_SEPARATOR).map((part) => {
    const [name, code, price, quantity, ...rest] = part.split(FIELD_SEPARATOR);
    if (name === undefined || code === undefined || price === undefined || quantity === undefined || rest.length > 0) {
      throw new ItemsError('an item must have four values');
    }
    const item = { name, code, price, quantity: /^\d{1,15}$/.test(quantity) ? Number(quantity) : 0 };
    checkItem(item);
    return item;
  });
}

function checkItem(item: Item): void {
  for (const value of [item.name, item.code]) {
    if (value.includes(FIELD_SEPARATOR) || value.includes(ITEM_SEPARATOR)) {
      throw new ItemsError('a text contains a separator');
    }
  }
  if (!Number.isSafeInteger(item.quantity) || item.quantity < 1) {
    throw new ItemsError('quantity must be a positive integer');
  }
  if (!/^\d+(\.\d+)?$/.test(item.price)) throw new ItemsError('price must be a decimal string');
}

function encodeItem(item: Item): string {
  return [item.name, item.code, item.price, String(item.quantity)].join(FIELD_SEPARATOR);
}

function tryDecode(wire: string): Item[] | undefined {
  try {
    return decodeItems(wire);
  } catch {
    return undefined;
  }
}

function sameItems(left: readonly Item[] | undefined, right: readonly Item[]): boolean {
  return (
    left?.length === right.length &&
    right.every((item, at) => {
      const other = left[at];
      return (
        other?.name === item.name &&
        other.code === item.code &&
        other.price === item.price &&
        other.quantity === item.quantity
      );
    })
  );
}
