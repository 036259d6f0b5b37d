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
