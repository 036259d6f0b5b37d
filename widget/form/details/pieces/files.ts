import { FileField } from '../document/file-field.tsx';
import type { Piece } from './piece.ts';

export const piece: Piece = { controls: { FileField } };
