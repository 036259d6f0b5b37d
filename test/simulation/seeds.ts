import type { History } from './steps.ts';

/** A history that once broke an invariant, shortened, with what was wrong. */
type Kept = { found: string; history: History };

/** Regression tests: each of these must go well. */
export const kept: readonly Kept[] = [];
