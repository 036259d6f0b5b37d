import { Combobox } from '../bank/combobox.tsx';
import type { Piece } from './piece.ts';

export const piece: Piece = { controls: { Combobox } };
