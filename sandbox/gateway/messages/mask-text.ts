import { maskText as maskCardData, maskOwnCard } from '../../../shared/card-data/mask.ts';
import { specialCards } from '../faults/test-cards.ts';

/** Masks whatever in a text is card data; this gateway's test cards also among other digits. */
export function maskText(text: string): string {
  return maskCardData(text, {}, specialCards);
}

/** Masks these card numbers alone, for texts whose other digits are known to be no card. */
export function maskKnownCards(text: string, cards: readonly string[]): string {
  return maskOwnCard(text, {}, cards);
}
