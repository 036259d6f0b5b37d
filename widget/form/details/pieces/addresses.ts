import * as knows from '../../../../shared/checkout/fields/address/address-rules.ts';
import { CountryChoice } from '../address/country-choice.tsx';
import type { Piece } from './piece.ts';

export const piece: Piece = { knows, controls: { CountryChoice } };
