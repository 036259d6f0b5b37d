import { documents } from '../../../../shared/checkout/fields/document/documents.ts';
import type { Piece } from './piece.ts';

export const piece: Piece = { knows: { documents } };
