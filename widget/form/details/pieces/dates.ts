import { BirthDate } from '../date/birth-date.tsx';
import type { Piece } from './piece.ts';

export const piece: Piece = { controls: { BirthDate } };
