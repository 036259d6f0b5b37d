import type { Parts } from '../model.ts';
import { Choices } from './choices.tsx';
import { Details } from './details.tsx';
import { findFields } from './fields.ts';
import { requestOf } from './request.ts';

/** The parts beyond the plain card, as one module to load. */
export const parts: Parts = { findFields, requestOf, Choices, Details };
