import { known } from '../../../../shared/checkout/fields/known.ts';
import type { DetailPiece } from '../../../../shared/checkout/view.ts';
import type { View } from '../../state.ts';
import type { Controls } from '../controls.ts';
import { piecesOf } from './needed.ts';
import type { Piece } from './piece.ts';

const loaders: Readonly<Record<DetailPiece, () => Promise<{ piece: Piece }>>> = {
  addresses: () => import('./addresses.ts'),
  banks: () => import('./banks.ts'),
  dates: () => import('./dates.ts'),
  documents: () => import('./documents.ts'),
  files: () => import('./files.ts'),
  phones: () => import('./phones.ts'),
};

/** Loads the pieces that a view needs, and answers with all of their controls. Rejects where one cannot be had. */
export async function loadPieces(view: View): Promise<Controls> {
  const loaded = await Promise.all(piecesOf(view).map((name) => loaders[name]()));
  for (const { piece } of loaded) Object.assign(known, piece.knows);
  return Object.assign({}, ...loaded.map(({ piece }) => piece.controls));
}
