import { documents } from '../../../../shared/checkout/fields/documents.ts';
import type { Piece } from './piece.ts';

export const piece: Piece = { knows: { documents } };
