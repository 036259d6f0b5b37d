import { documents } from '../../../../shared/checkout/fields/document/documents.ts';
import type { Piece } from '../model.ts';

export const piece = (): Piece => ({ rules: { documents } });
