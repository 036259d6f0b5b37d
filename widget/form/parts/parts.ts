import type { Parts } from '../model.ts';
import { Details } from './details.tsx';
import { findFields } from './fields.ts';
import { requestOf } from './request.ts';
import { SavedCards } from './saved-cards.tsx';

/** The parts beyond the plain card, as one module to load. */
export const parts: Parts = { findFields, requestOf, SavedCards, Details };
