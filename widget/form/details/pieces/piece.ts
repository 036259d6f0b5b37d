import type { Known } from '../../../../shared/checkout/fields/known.ts';
import type { Controls } from '../controls.ts';

/** What a piece brings: controls, and what the rules know with it. */
export type Piece = { controls?: Controls; knows?: Partial<Known> };
