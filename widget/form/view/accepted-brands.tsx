import type { BrandId } from '../../../shared/checkout/session.ts';
import { brandName } from '../card/brands.ts';
import type { View } from '../state.ts';

/** The maximum number of marks. More would take the room of other parts. */
const MAX_MARKS = 4;
/** The default brands, if the shop does not set any. */
const USUAL: readonly BrandId[] = ['visa', 'mastercard'];

/** The brands that the shop accepts, in its order. */
export function acceptedBrands({ methods }: View): readonly BrandId[] {
  return methods.flatMap((method) => (method.type === 'card' ? (method.brands ?? USUAL) : []));
}

/** The marks of these brands, with a description, because they are no part of the method's name. */
export function AcceptedBrands({ brands }: { brands: readonly BrandId[] }) {
  const others = brands.length - MAX_MARKS;
  // Their room is reserved before they arrive one by one.
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

/** A small drawing beside a field or a name: a brand's mark, or a card without a brand. */
export function Mark({ name = 'blank' }: { name?: string | undefined }) {
  return (
    <svg class={`mark ${name}`} viewBox="0 0 72 48" width="36" height="24" aria-hidden="true">
      <use href={`#${markId(name)}`} />
    </svg>
  );
}
