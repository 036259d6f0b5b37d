import { PhoneField } from '../phone/phone-field.tsx';
import type { Piece } from './piece.ts';

export const piece: Piece = { controls: { PhoneField } };
