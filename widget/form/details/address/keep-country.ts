import type { CheckoutModel } from '../../model.ts';
import { askedPaths } from '../asked.ts';
import { contextOf } from '../context.ts';
import { addressPart } from './address.ts';

/** Who it is for tells nothing of where. */
const NAMES = ['firstname', 'lastname'];

/**
 * Makes the country that an address is shown in its own, as soon as anything of that address is there: neither another
 * language nor another address moves it from then on. `path` is the country's.
 */
export function keepCountry(checkout: CheckoutModel, path: string): void {
  const { values, stage } = checkout.state;
  if (values[path] || stage.name !== 'form' || !isBegun(checkout, path)) return;
  const shown = contextOf(checkout).values[path];
  if (shown) checkout.set({ values: { ...values, [path]: shown } });
}

function isBegun({ state }: CheckoutModel, path: string): boolean {
  const address = addressPart(path)?.address;
  return [...askedPaths(state)].some((name) => {
    const own = addressPart(name);
    return own !== undefined && own.address === address && !NAMES.includes(own.part) && Boolean(state.values[name]);
  });
}
