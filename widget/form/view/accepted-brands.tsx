import type { BrandId } from '../../../shared/checkout/session.ts';
import { brandName } from '../card/brands.ts';
import type { View } from '../state.ts';

/** More would take the room of what stands beside them. */
const MAX_MARKS = 4;
/** What is taken wherever cards are, unless the shop says otherwise. */
const USUAL: readonly BrandId[] = ['visa', 'mastercard'];

/** The brands that the shop takes, in its order. */
export function acceptedBrands({ methods }: View): readonly BrandId[] {
  return methods.flatMap((method) => (method.type === 'card' ? (method.brands ?? USUAL) : []));
}

/** The marks of these brands, told as a description: they are no part of the method's name. */
export function AcceptedBrands({ brands }: { brands: readonly BrandId[] }) {
  const others = brands.length - MAX_MARKS;
  // They have their room before they arrive, one by one.
  const room = `accepted n${others > 0 ? '' : brands.length}`;
  return (
    <span class={room} id="accepted" role="img" aria-hidden="true" aria-label={brands.map(brandName).join(', ')}>
      {brands.slice(0, MAX_MARKS).map((id) => (
        <Mark key={id} name={id} />
      ))}
      {others > 0 && `+${others}`}
    </span>
  );
}

/** The id of a mark's drawing, see `MarkSymbols`. */
export function markId(name: string): string {
  return `mark-${name}`;
}

/** A small drawing beside a field or a name: a brand's mark, or the card that stands for all. */
export function Mark({ name = 'blank' }: { name?: string | undefined }) {
  return (
    <svg class={`mark ${name}`} viewBox="0 0 72 48" width="36" height="24" aria-hidden="true">
      <use href={`#${markId(name)}`} />
    </svg>
  );
}
