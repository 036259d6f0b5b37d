import type { EffectFate, Fate, History, Step } from '../steps.ts';

/** A step as a report prints it: of a fate only what is unusual. */
type Short<Of> = Of extends { fate: EffectFate }
  ? Omit<Of, 'fate'> & { fate: Partial<EffectFate> }
  : Of extends { fate: Fate }
    ? Omit<Of, 'fate'> & { fate: Partial<Fate> & Pick<Fate, 'says'> }
    : Of;

/** A history that once broke an invariant, shortened, and what broke it. */
export type Found = Omit<History, 'steps'> & { found: string; steps: Short<Step>[] };
