/** A card of no known brand. */
export function BlankMark() {
  return (
    <svg class="mark" viewBox="0 0 36 24" width="36" height="24" aria-hidden="true">
      <rect x=".5" y=".5" width="35" height="23" rx="4" fill="none" class="edge" />
      <path d="M1 8h34M5 17h8" class="edge" />
    </svg>
  );
}
