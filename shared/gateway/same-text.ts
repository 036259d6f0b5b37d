import { timingSafeEqual } from 'node:crypto';

/** Compares two texts in a time that does not depend on where they differ. How long they are is no secret. */
export function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
