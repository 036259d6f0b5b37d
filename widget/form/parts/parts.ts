import type { Parts } from '../model.ts';
import { needsDetails } from '../needs.ts';
import type { View } from '../state.ts';
import { partsWith } from './compose.tsx';

/** The parts that this view needs, and the details with them if it asks for any. */
export async function partsFor(view: View): Promise<Parts> {
  return partsWith(needsDetails(view) ? await (await import('../details/details.tsx')).loadDetails(view) : undefined);
}
