/** The id of the drawing of a brand's mark, see `MarkSymbols`. */
export function markId(brand: string): string {
  return `mark-${brand}`;
}

/** A brand's mark; without a brand a blank card. */
export function BrandMark({ id }: { id: string | undefined }) {
  return (
    <svg class={id ? 'mark' : 'mark blank'} viewBox="0 0 72 48" width="36" height="24" aria-hidden="true">
      {id ? <use href={`#${markId(id)}`} /> : <path d="M0 16h72M10 34h16" />}
    </svg>
  );
}
