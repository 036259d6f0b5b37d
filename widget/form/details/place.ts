import type { CheckoutModel } from '../model.ts';
import { isRepetition, SAME } from './address/delivery.ts';
import { askedPaths } from './asked.ts';
import { contextOf } from './context.ts';
import { FILE, FILE_TYPE } from './document/file-paths.ts';

/**
 * The name of the field that shows this path of the request. A part of the delivery address that was taken from the billing
 * address is brought to light, with what was sent.
 */
export function place(checkout: CheckoutModel, path: string): string {
  const { state } = checkout;
  const asked = askedPaths(state);
  if (path === FILE_TYPE && asked.has(FILE)) return FILE;
  if (asked.has(path) && isRepetition(path, state, asked)) {
    const sent = Object.entries(contextOf(checkout).values).filter(([name]) => name.startsWith('delivery_'));
    checkout.set({ values: { ...state.values, ...Object.fromEntries(sent), [SAME]: 'no' } });
  }
  return path;
}
